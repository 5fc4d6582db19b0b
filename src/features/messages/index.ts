import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { refusalOf } from '../../http/errors.ts';
import { idempotent } from '../../http/idempotency.ts';
import { limitDefault, mapPage, page, readSequence } from '../../http/list.ts';
import { problemResponse } from '../../http/problems.ts';
import { factsOf } from '../../http/requests.ts';
import {
  booksQuery,
  closed,
  id,
  instant,
  listOf,
  listQuery,
  nullable,
  oneOf,
  problems,
  whole,
} from '../../http/schemas.ts';
import { eventStream, type ServerEvent } from '../../http/sse.ts';
import type { Access } from '../auth/access.ts';
import { type AnswerListener, converse, type Reply } from './converse.ts';
import { listMessages } from './queries.ts';

const contentCharactersMax = 4_000;

const members = {
  id,
  role: oneOf(['user', 'assistant']),
  content: t.String({ description: 'Plain text.' }),
  citations: t.Array(
    closed({
      title: t.String(),
      href: t.String({ description: 'Where the numbers can be looked up, as `/v1/tax/summary?year=2025`.' }),
    }),
  ),
  createdAt: instant,
};
const Message = closed(members, { title: 'Message' });
const ReplySchema = closed(
  {
    ...members,
    usage: closed({
      used: whole({ description: 'Messages of this UTC day, this one included.' }),
      limit: nullable(whole({ description: 'A day; null is no limit.' })),
      resetsAt: instant,
    }),
  },
  { title: 'Reply' },
);

const tags = ['AI messages'];

/** Questions about the books, and their answers. */
export const messages = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/ai/messages' })
    .use(access)
    .post(
      '',
      async (context) => {
        const { body, request, caller, taxpayer, server } = context;
        deps.rateLimits.take('work', caller.userId);
        server?.timeout(request, 0);
        const ask = (listener: AnswerListener) =>
          idempotent(deps, context, (saveResponse) =>
            converse(deps, { caller, taxpayer }, body.content.trim(), listener, saveResponse),
          );
        if (!wantsEvents(request)) return ask({ say: () => {}, signal: request.signal });
        const events = await begin(deps, ask, request);
        return eventStream(deps, { request, server }, { userId: caller.userId, events });
      },
      {
        books: true,
        query: booksQuery({}),
        body: closed({
          content: t.String({
            minLength: 1,
            maxLength: contentCharactersMax,
            pattern: '\\S',
            description: 'The question.',
          }),
        }),
        response: { 201: ReplySchema, ...problems(409, 422, 429, 503) },
        detail: {
          summary: 'Ask about the books',
          description:
            'Answers with the assistant’s message. With `Accept: text/event-stream` it streams: events `delta` with `{text}`, then `message` with the whole message; or `problem` where the answer broke off. An answer that broke off is not counted.',
          operationId: 'createMessage',
          tags,
          responses: {
            200: {
              description: 'With `Accept: text/event-stream`.',
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            },
          },
        },
      },
    )
    .get(
      '',
      async ({ query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const after = readSequence(query.cursor);
        const asked = { newestFirst: query.sort === '-date', after, limit };
        const rows = await deps.database.asTaxpayer(taxpayer.id, (sql) => listMessages(sql, taxpayer.id, asked), {
          readOnly: true,
        });
        return mapPage(
          page(rows, limit, (row) => [row.sequence]),
          ({ sequence: _, createdAt, citations, ...row }) => ({
            ...row,
            citations: [...citations],
            createdAt: createdAt.toISOString(),
          }),
        );
      },
      {
        books: true,
        query: booksQuery({ ...listQuery, sort: t.Optional(oneOf(['date', '-date'], 'Oldest first unless `-date`.')) }),
        response: { 200: listOf(Message), ...problems(400) },
        detail: { summary: 'The conversation', operationId: 'listMessages', tags },
      },
    );

function wantsEvents(request: Request): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.get('accept') ?? '');
}

/**
 * Waits for the first words, so that a question without an answer is refused as any other request. An answer that is
 * repeated for its Idempotency-Key has no pieces, only the message.
 */
async function begin(
  deps: Deps,
  ask: (listener: AnswerListener) => Promise<{ readonly response: unknown }>,
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
      ({ response }): ServerEvent => ({ event: 'message', data: response as Reply }),
      async (error: unknown): Promise<ServerEvent> => {
        const { id: requestId } = factsOf(request);
        const { refusal, bug } = refusalOf(error);
        if (bug) deps.log.error('answer broke off', error, { requestId });
        return { event: 'problem', data: await problemResponse(refusal, requestId).json() };
      },
    );
  };
}
