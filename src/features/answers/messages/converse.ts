import { dayIn, formatDay, type Instant } from '../../../base/day.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { AssistantPort, Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import type { RouteResponse, SaveResponse } from '../../../http/saved-response.ts';
import { type Caller, reaches, type Taxpayer } from '../../people/auth/access.ts';
import type { Role } from '../../people/auth/permissions.ts';
import { notify } from '../../people/notifications.ts';
import { notifyQuestionsNear } from '../../people/plans.ts';
import { composeReply } from './answers.ts';
import { booksView, type ViewScope } from './books-view.ts';
import { CheckedNumbers } from './checked-numbers.ts';
import { type ConsentScope, hasConsent } from './consents.queries.ts';
import { insertMessage, listMessages, type MessageRow } from './messages.queries.ts';
import { nextUtcDay, takeFromQuota, type Usage } from './quota.ts';
import { instructions, toolbox } from './tools.ts';
import type { AssistantReply, Citation } from './view.ts';

export interface Questioner {
  readonly caller: Caller;
  readonly taxpayer: Taxpayer;
}

/** Receives the answer in pieces, and can cancel it. */
export interface ReplyListener {
  say(piece: string): void;
  readonly signal: AbortSignal;
}

export interface Message {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly citations: Citation[];
  readonly createdAt: string;
}

export type Reply = Message & { readonly usage: Usage };

/**
 * Answers a question without an open transaction, because a language model may be slow. Stores the question together
 * with its answer, and counts it. A question without an answer is neither counted nor stored. A question that was not
 * understood, or whose answer has a number left out, is stored but not counted.
 */
export async function converse(
  deps: Deps,
  asker: Questioner,
  question: string,
  listener: ReplyListener,
  saveResponse: SaveResponse,
): Promise<RouteResponse<201, Reply>> {
  const { usage, giveBack } = await takeFromQuota(deps, asker.caller);
  try {
    const askedAt = deps.clock.now();
    const {
      isUnclear = false,
      hasLeftOut = false,
      ...said
    } = await produceReply(deps, asker, question, askedAt, listener);
    const isFree = isUnclear || hasLeftOut;
    const counted = isFree ? { ...usage, used: usage.used - 1 } : usage;
    const reply = await store(deps, asker, { question, askedAt, ...said, usage: counted }, saveResponse);
    if (isFree) await giveBack();
    return reply;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/**
 * Answers a visitor of the demo books from the books alone, without a language model. Neither stores nor counts the
 * question, because all visitors share the books.
 */
export async function converseInDemo(
  deps: Deps,
  { taxpayer }: Questioner,
  question: string,
  listener: ReplyListener,
): Promise<Reply> {
  const now = deps.clock.now();
  const { content, citations } = await replyFromBooks(deps, scopeOf(taxpayer, now), question, listener);
  return {
    ...{ id: crypto.randomUUID(), role: 'assistant', content, citations: [...citations], createdAt: now.toISOString() },
    usage: { used: 0, limit: null, resetsAt: nextUtcDay(now).toISOString() },
  };
}

function scopeOf({ id, timeZone }: Taxpayer, now: Date): ViewScope {
  return { taxpayerId: id, today: dayIn((now.getTime() * 1000) as Instant, timeZone), client: null };
}

/** Limits the part of the conversation that is sent to a language model again. */
const historyMessages = 20;
const historyCharacters = 16_000;

async function produceReply(
  deps: Deps,
  asker: Questioner,
  question: string,
  now: Date,
  listener: ReplyListener,
): Promise<AssistantReply> {
  const { id } = asker.taxpayer;
  const scope = { ...scopeOf(asker.taxpayer, now), client: id === asker.caller.taxpayerId ? null : id };
  if (deps.assistant === null) return replyFromBooks(deps, scope, question, listener);
  // Owners send their own data. A CPA discloses a client's data, which requires the client's consent (IRC 7216).
  const consent =
    scope.client === null
      ? null
      : {
          taxpayerId: id,
          preparerId: asker.caller.userId,
          service: deps.assistant.service,
          today: formatDay(scope.today),
        };
  const isAllowed =
    consent === null || (await deps.database.asTaxpayer(id, (sql) => hasConsent(sql, consent), { readOnly: true }));
  if (isAllowed) {
    const reachesBooks = reaches(deps, asker.caller, asker.taxpayer);
    return replyByModel(deps, deps.assistant, { ...scope, consent, reachesBooks }, question, listener);
  }
  const note = noConsentNote(deps.assistant.service, asker.taxpayer.role);
  listener.say(`${note}\n\n`);
  const reply = await replyFromBooks(deps, scope, question, listener);
  return { ...reply, content: `${note}\n\n${reply.content}` };
}

function noConsentNote(service: string, role: Role): string {
  const nextStep =
    role === 'manager'
      ? 'If the client signed a consent, record it on this page.'
      : 'Ask the client to consent on their account page, under "Shared access".';
  return `This answer is from the books alone. Without the client's consent (IRC 7216), nothing is sent to the AI service at ${service}. ${nextStep}`;
}

/** Answers from one snapshot, so that all numbers are from the same state of the books. */
async function replyFromBooks(
  deps: Deps,
  scope: ViewScope,
  question: string,
  { say }: ReplyListener,
): Promise<AssistantReply> {
  const reply = await deps.database.asTaxpayer(
    scope.taxpayerId,
    async (sql) => {
      const recent = await listMessages(sql, scope.taxpayerId, { newestFirst: true, after: null, limit: 2 });
      const previous = recent.find((message) => message.role === 'user')?.content ?? null;
      return composeReply(
        question,
        previous,
        booksView((look) => look(sql), scope),
      );
    },
    { snapshot: true, readOnly: true },
  );
  for (const line of reply.content.match(/[^\n]*\n+|[^\n]+$/g) ?? []) say(line);
  return reply;
}

interface ModelScope extends ViewScope {
  /** Null if the books belong to the user who asks. */
  readonly consent: ConsentScope | null;
  /** Whether the user still has access to the books. */
  readonly reachesBooks: () => Promise<boolean>;
}

async function replyByModel(
  deps: Deps,
  port: AssistantPort,
  scope: ModelScope,
  question: string,
  { say, signal }: ReplyListener,
): Promise<AssistantReply> {
  const { consent, reachesBooks } = scope;
  // Checked before each query, because the consent may be revoked while the model answers.
  const look = <T>(read: (sql: Sql) => Promise<T>): Promise<T> =>
    deps.database.asTaxpayer(
      scope.taxpayerId,
      async (sql) => {
        if (consent !== null && !(await hasConsent(sql, consent)))
          throw new Refusal('forbidden', 'The client revoked their consent.');
        return read(sql);
      },
      { readOnly: true },
    );
  const view = booksView(look, scope);
  const { tools, citations } = toolbox(view);
  const numbers = new CheckedNumbers();
  const history = await look((sql) =>
    listMessages(sql, scope.taxpayerId, { newestFirst: true, after: null, limit: historyMessages }),
  );
  const earlier = pickRecentMessages(history);
  for (const { role, content } of earlier) if (role === 'assistant') numbers.allow(content);
  const messages = [...earlier, { role: 'user' as const, content: question }];
  const checkPermission = async (): Promise<void> => {
    if (!(await reachesBooks())) throw notFound();
    await look(async () => {});
  };
  const modelRequest = { instructions: instructions(view), messages, tools: numbers.watch(tools), checkPermission };
  numbers.allow(formatDay(view.today));
  let content = '';
  const show = (text: string): void => {
    if (text === '') return;
    content += text;
    say(text);
  };
  try {
    for await (const piece of port.answer(modelRequest, signal)) show(numbers.take(piece));
    show(numbers.end());
  } catch (error) {
    if (!signal.aborted) throw error;
    // If the user leaves midway, the part that was already sent is stored and counted.
    if (content === '') throw new Refusal('assistant_failed', 'The question was canceled.');
  }
  return { content, citations: citations(), ...(numbers.hasLeftOut ? { hasLeftOut: true as const } : {}) };
}

/** Returns the latest messages that fit, oldest first, starting with a question. */
function pickRecentMessages(newestFirst: readonly MessageRow[]): Pick<MessageRow, 'role' | 'content'>[] {
  const messages: Pick<MessageRow, 'role' | 'content'>[] = [];
  let characters = 0;
  for (const { role, content } of newestFirst) {
    characters += content.length;
    if (characters > historyCharacters) break;
    messages.unshift({ role, content });
  }
  while (messages[0]?.role === 'assistant') messages.shift();
  return messages;
}

interface QuestionAndReply {
  readonly question: string;
  readonly askedAt: Date;
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly usage: Usage;
}

async function store(
  deps: Deps,
  { caller, taxpayer }: Questioner,
  exchange: QuestionAndReply,
  saveResponse: SaveResponse,
) {
  const { question, askedAt, content, citations, usage } = exchange;
  const now = deps.clock.now();
  const reply = { id: crypto.randomUUID(), role: 'assistant' as const, content, citations, createdAt: now };
  return deps.database.asTaxpayer(taxpayer.id, async (sql) => {
    const userMessage = {
      id: crypto.randomUUID(),
      role: 'user' as const,
      content: question,
      citations: [],
      createdAt: askedAt,
    };
    await insertMessage(sql, taxpayer.id, userMessage);
    await insertMessage(sql, taxpayer.id, reply);
    const isOwn = taxpayer.id === caller.taxpayerId;
    if (isOwn) await notifyQuestionsNear(sql, { id: taxpayer.id, plan: caller.plan }, usage.used, now);
    if (isOwn && usage.used === usage.limit) {
      await notify(sql, taxpayer.id, {
        kind: 'limit_reached',
        title: "You've used all AI messages for today",
        body: `The ${caller.plan} plan includes ${usage.limit} a day. More are available at ${usage.resetsAt}.`,
        link: '/v1/plans',
        at: now,
      });
    }
    const body: Reply = { ...reply, citations: [...citations], createdAt: now.toISOString(), usage };
    return saveResponse(sql, { status: 201 as const, body });
  });
}
