import { api, request, unwrapResponse } from '../../api/api.ts';
import { Problem, problemFrom } from '../../api/problem.ts';
import { serverEvents } from '../../api/server-events.ts';

export type ConversationMessage = Awaited<ReturnType<typeof readMessages>>['data'][number];

/** Returns the messages, newest first. */
export function readMessages(cursor: { readonly cursor?: string }) {
  return unwrapResponse(api.ai.messages.get({ query: { sort: '-date', limit: 60, ...cursor } }));
}

/**
 * Asks a question, receives the answer word by word, and returns it. Throws a Problem if the question is refused or the answer is
 * interrupted.
 */
export async function ask(
  content: string,
  onWords: (words: string) => void,
  signal: AbortSignal,
): Promise<ConversationMessage> {
  const { body } = await request('/v1/ai/messages', {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
    signal,
  });
  if (body === null) throw brokenOff();
  for await (const { event, data } of serverEvents(body)) {
    if (event === 'delta') onWords((data as { readonly text: string }).text);
    if (event === 'message') return data as ConversationMessage;
    if (event === 'problem') throw problemFrom((data as { readonly status: number }).status, data);
  }
  throw brokenOff();
}

function brokenOff(): Problem {
  return new Problem('offline', 0, "The answer was interrupted. It wasn't counted, so ask again.", null);
}
