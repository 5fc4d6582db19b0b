import { Elysia, status, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { toRefusal } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import { group, read, write } from '../../../http/operations.ts';
import { problemResponse } from '../../../http/problems.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { closed, listOf, listQuery, notBlank, oneOf, problems } from '../../../http/schemas.ts';
import { eventStream, type ServerEvent } from '../../../http/sse.ts';
import type { Access } from '../../people/auth/access.ts';
import { converse, converseInDemo, type ReplyListener } from './converse.ts';
import { listMessages } from './messages.queries.ts';
import { Message, Reply, replyEvents } from './messages.schemas.ts';

const contentCharactersMax = 4_000;

const { onBooks } = group('AI messages');

/** Answers questions about the books and lists the conversation. */
export const messages = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/ai/messages' })
    .use(access)
    .post(
      '',
      async (context) => {
        const { body, request, caller, taxpayer, server } = context;
        deps.rateLimits.take('work', caller.userId);
        server?.timeout(request, 0);
        const [asker, question] = [{ caller, taxpayer }, body.content.trim()];
        const ask = (listener: ReplyListener) =>
          caller.isDemo
            ? converseInDemo(deps, asker, question, listener).then((reply) => status(201, reply))
            : idempotent(deps, context, (saveResponse) => converse(deps, asker, question, listener, saveResponse));
        if (!wantsEvents(request)) return ask({ say: () => {}, signal: request.signal });
        const events = await begin(deps, ask, request);
        return eventStream(deps, { request, server }, { caller, events });
      },
      onBooks('createMessage', write('question_asked'), {
        summary: 'Ask a question about the books',
        description:
          'Returns the assistant’s message. With `Accept: text/event-stream` it arrives word by word. A question is not counted if the built-in assistant does not understand it, if the answer is interrupted, or if a number is left out of the answer.',
        body: closed(
          {
            content: t.String({
              minLength: 1,
              maxLength: contentCharactersMax,
              ...notBlank,
              description: 'The question.',
            }),
          },
          { examples: [{ content: 'What did I make in 2024?' }] },
        ),
        response: { 201: Reply, ...problems('conflict', 'ai_quota', 'assistant_failed') },
        detail: {
          responses: {
            200: eventStreamResponse('With `Accept: text/event-stream`, until the answer is complete.', replyEvents),
          },
        },
      }),
    )
    .get(
      '',
      async ({ books, query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const after = readSequence(query.cursor);
        const listRequest = { newestFirst: query.sort === '-date', after, limit };
        const rows = await books.read((sql) => listMessages(sql, taxpayer.id, listRequest));
        return page(
          rows,
          limit,
          (row) => [row.sequence],
          ({ sequence: _, createdAt, citations, ...row }) => ({
            ...row,
            citations: [...citations],
            createdAt: createdAt.toISOString(),
          }),
        );
      },
      onBooks('listMessages', read, {
        summary: 'List messages of the conversation',
        query: { ...listQuery, sort: t.Optional(oneOf(['date', '-date'], 'Oldest first unless `-date`.')) },
        response: { 200: listOf(Message) },
      }),
    );

function wantsEvents(request: Request): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.get('accept') ?? '');
}

/**
 * Waits for the first words, so that a question that gets no answer is refused like any other request. A response that
 * is replayed for its Idempotency-Key contains the whole message only.
 */
async function begin(
  deps: Deps,
  ask: (listener: ReplyListener) => Promise<{ readonly response: unknown }>,
  request: Request,
) {
  const pieces: string[] = [];
  const left = new AbortController();
  let heard = Promise.withResolvers<void>();
  const reply = ask({
    say: (piece) => {
      pieces.push(piece);
      heard.resolve();
    },
    signal: AbortSignal.any([left.signal, request.signal]),
  });
  const settled = reply.then(
    () => heard.resolve(),
    () => heard.resolve(),
  );
  await heard.promise;
  if (pieces.length === 0) await reply;

  return async function* events(_: string | undefined, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    signal.addEventListener('abort', () => left.abort(), { once: true });
    let over = false;
    void settled.then(() => {
      over = true;
      heard.resolve();
    });
    for (;;) {
      await heard.promise;
      heard = Promise.withResolvers();
      while (pieces.length > 0) yield { event: 'delta', data: { text: pieces.shift() } };
      if (over) break;
    }
    yield await reply.then(
      ({ response }): ServerEvent => ({ event: 'message', data: response }),
      async (error: unknown): Promise<ServerEvent> => {
        const { id: requestId } = getRequestFacts(request);
        const { refusal, bug } = toRefusal(error);
        if (bug) deps.log.error('answer broke off', error, { requestId });
        return { event: 'problem', data: await problemResponse(refusal, requestId).json() };
      },
    );
  };
}
