import { t } from 'elysia';
import { closed } from '../../../http/schemas.ts';

/** A JSON-RPC 2.0 message, as used by MCP. This server sends no requests to programs, so it accepts no responses. */
export const McpMessage = closed(
  {
    jsonrpc: t.Literal('2.0'),
    id: t.Optional(
      t.Union([t.String({ maxLength: 200 }), t.Number({ multipleOf: 1 })], {
        description: 'Identifies a request. A message without an id is a notification and gets no response.',
      }),
    ),
    method: t.String({
      minLength: 1,
      maxLength: 100,
      description: '`initialize`, `tools/list`, `tools/call` and other MCP methods.',
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

export const McpResponse = closed(
  {
    jsonrpc: t.Literal('2.0'),
    id: t.Optional(t.Union([t.String(), t.Number()])),
    result: t.Optional(
      t.Object(
        {},
        { additionalProperties: true, description: 'The result of `tools/call`: content and structuredContent.' },
      ),
    ),
    error: t.Optional(
      closed({ code: t.Number(), message: t.String(), data: t.Optional(t.Unknown()) }, { description: 'Of JSON-RPC.' }),
    ),
  },
  { title: 'McpResponse' },
);
