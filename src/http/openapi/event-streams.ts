import type { TSchema } from 'elysia';
import { formatEvent } from '../sse.ts';

interface EventDocumentation {
  readonly name: string;
  /** When the event is sent. */
  readonly when: string;
  readonly schema: TSchema;
  /** The payload of an event. */
  readonly example: object;
}

/** Returns the response of an event stream for a route's detail: the events, their payloads, and examples. */
export function eventStreamResponse(condition: string, events: readonly EventDocumentation[]) {
  const list = events.map(({ name, when }) => `- \`${name}\`: ${when}`).join('\n');
  const example = events.map(({ name, example }, at) => {
    return formatEvent({ id: String(at + 1), event: name, data: example });
  });
  return {
    description: `${condition}\n\n${list}`,
    content: {
      'text/event-stream': {
        schema: { type: 'string' as const },
        example: example.join(''),
        'x-events': Object.fromEntries(events.map(({ name, schema }) => [name, schema])),
      },
    },
  };
}
