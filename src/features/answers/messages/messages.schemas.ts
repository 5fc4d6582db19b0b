import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf, Problem, whole } from '../../../http/schemas.ts';

const members = {
  id,
  role: oneOf(['user', 'assistant']),
  content: t.String({ description: 'Plain text.' }),
  citations: t.Array(
    closed({
      title: t.String(),
      href: t.String({ description: 'A page with the numbers, such as `/v1/tax/summary?year=2025`.' }),
    }),
  ),
  createdAt: instant,
};
export const Message = closed(members, { title: 'Message' });
export const Reply = closed(
  {
    ...members,
    usage: closed({
      used: whole({ description: 'Messages of this UTC day, including this one if it counts.' }),
      limit: nullable(whole({ description: 'Messages per day; null if unlimited.' })),
      resetsAt: instant,
    }),
  },
  { title: 'Reply' },
);
const Delta = closed({ text: t.String() }, { title: 'ReplyDelta' });

/** The events in the stream of an answer. */
export const replyEvents = [
  { name: 'delta', when: 'The next words.', schema: Delta, example: { text: '2024: a gain of ' } },
  {
    name: 'message',
    when: 'The complete message. The stream ends.',
    schema: Reply,
    example: {
      id: '2',
      role: 'assistant',
      content: '2024: a gain of $6,108.50 from 3 sales.',
      citations: [{ title: 'Tax year 2024', href: '/v1/tax/summary?year=2024' }],
      createdAt: '2025-02-01T09:31:00.000Z',
      usage: { used: 1, limit: 5, resetsAt: '2025-02-02T00:00:00.000Z' },
    },
  },
  {
    name: 'problem',
    when: 'The answer was interrupted. The stream ends.',
    schema: Problem,
    example: {
      type: 'urn:lotbook:problem:assistant_failed',
      title: 'The assistant failed',
      status: 503,
      detail: 'The AI service did not respond in time.',
      instance: '0f4c1d8a-7a0e-4f8e-9a43-0b8f3f3f9a11',
      code: 'assistant_failed',
    },
  },
];
