import { t } from 'elysia';
import { closed } from '../../http/schemas.ts';

/** A message of JSON-RPC 2.0, as MCP has them. This server asks a program nothing, so that it takes no answers. */
export const McpMessage = closed(
  {
    jsonrpc: t.Literal('2.0'),
    id: t.Optional(
      t.Union([t.String({ maxLength: 200 }), t.Number({ multipleOf: 1 })], {
        description: 'Of a request. What has none is a notification, and is not answered.',
      }),
    ),
    method: t.String({
      minLength: 1,
      maxLength: 100,
      description: '`initialize`, `tools/list`, `tools/call` and what else MCP has.',
    }),
    params: t.Optional(t.Object({}, { additionalProperties: true })),
  },
  {
    title: 'McpMessage',
    examples: [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'year_summary', arguments: { year: 2024 } } },
    ],
  },
);

export const McpAnswer = closed(
  {
    jsonrpc: t.Literal('2.0'),
    id: t.Optional(t.Union([t.String(), t.Number()])),
    result: t.Optional(
      t.Object({}, { additionalProperties: true, description: 'Of `tools/call`: content and structuredContent.' }),
    ),
    error: t.Optional(
      closed({ code: t.Number(), message: t.String(), data: t.Optional(t.Unknown()) }, { description: 'Of JSON-RPC.' }),
    ),
  },
  { title: 'McpAnswer' },
);
