import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { api, type ItemOf, refresh, request, useList } from '../api/api.ts';
import { useDraft } from '../api/draft.ts';
import { clientId, to } from '../api/page-url.ts';
import { Problem, problemFrom, toProblem } from '../api/problem.ts';
import { account } from '../api/session.ts';
import { useServerConfig, useStatus } from '../api/status.ts';
import { useYears } from '../api/tax-year.ts';
import { count } from '../format/amounts.ts';
import { parseBlocks, parseReplyBlocks } from '../format/blocks.ts';
import { moment } from '../format/dates.ts';
import { findPage } from '../format/page-links.ts';
import { ClientAiConsents } from '../parts/ai-consents.tsx';
import { Button } from '../parts/button.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Empty, Page, ProblemNotice, ResourceView } from '../parts/page.tsx';

/** A question that is being answered or was stopped. It is shown until the stored conversation includes it. */
interface OpenQuestion {
  readonly question: string;
  readonly words: string;
  readonly state: 'hearing' | 'stopped' | 'failed';
  readonly problem: Problem | null;
  /** The newest message when the question was asked. */
  readonly after: string | null;
}

/** Time to wait before reading a partial answer, which the server stores after a stop. */
const storedAfter = 400;

export default function Assistant() {
  const { reading, showMore } = useList('messages', (cursor) =>
    api.ai.messages.get({ query: { sort: '-date', limit: 60, ...cursor } }),
  );
  const builtin = useServerConfig().data?.assistant === 'builtin';
  const newest = reading.data?.data[0]?.id ?? null;
  const { open, start, stop, inDemo } = useQuestion(newest);
  const isDemo = account.value?.demo === true;
  return (
    <Page
      title="Assistant"
      lead={
        builtin
          ? "Ask about your taxes. Answers come straight from your data. Questions it can't answer don't count."
          : 'Ask about your taxes. The assistant reads your data and changes nothing. Check its answers against their sources.'
      }
    >
      {clientId.value !== null && <ClientAiConsents />}
      <ResourceView reading={reading}>
        {({ data }) => (
          <Conversation messages={isDemo ? inDemo : data} open={open} onAsk={start} onEarlier={showMore} />
        )}
      </ResourceView>
      {isDemo ? (
        <>
          <Composer isHearing={open?.state === 'hearing'} onAsk={start} onStop={stop} />
          <p class="fine">In the demo, questions are answered from the sample data and not stored.</p>
        </>
      ) : (
        <OwnBooks isSaid>
          <Composer isHearing={open?.state === 'hearing'} onAsk={start} onStop={stop} />
        </OwnBooks>
      )}
    </Page>
  );
}

function useQuestion(newest: string | null) {
  const [open, setOpen] = useState<OpenQuestion | null>(null);
  /** The server stores no questions in the demo, so this page keeps them. Newest first. */
  const [inDemo, setInDemo] = useState<readonly ConversationMessage[]>([]);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  async function start(question: string): Promise<void> {
    const leave = new AbortController();
    stopper.current = leave;
    setOpen({ question, words: '', state: 'hearing', problem: null, after: newest });
    const change = (next: (before: OpenQuestion) => OpenQuestion) => setOpen((before) => before && next(before));
    try {
      const show = (words: string) => change((before) => ({ ...before, words: before.words + words }));
      const reply = await ask(question, show, leave.signal);
      if (account.value?.demo) {
        const { id, createdAt } = reply;
        const asked: ConversationMessage = { id: `${id}?`, role: 'user', content: question, citations: [], createdAt };
        setInDemo((before) => [reply, asked, ...before]);
        setOpen(null);
      } else refresh();
    } catch (error) {
      const problem = leave.signal.aborted ? null : toProblem(error);
      change((before) => ({ ...before, state: problem === null ? 'stopped' : 'failed', problem }));
      setTimeout(refresh, storedAfter);
    }
  }
  const isStored = open !== null && open.after !== newest;
  return {
    open: isStored ? null : open,
    inDemo,
    start: (question: string) => void start(question),
    stop: () => stopper.current?.abort(),
  };
}

interface ConversationProps {
  /** Newest first. */
  readonly messages: readonly ConversationMessage[];
  readonly open: OpenQuestion | null;
  readonly onAsk: (question: string) => void;
  readonly onEarlier: (() => void) | null;
}

function Conversation({ messages, open, onAsk, onEarlier }: ConversationProps) {
  const end = useRef<HTMLDivElement>(null);
  const newest = messages[0]?.id;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [newest, open?.words, open?.state]);
  if (messages.length === 0 && open === null) return <Examples onAsk={onAsk} />;
  return (
    <>
      {onEarlier !== null && <Button label="Show earlier questions" onClick={onEarlier} />}
      <div role="log" aria-label="Conversation">
        <ol class="conversation">
          {messages.toReversed().map((message) => (
            <MessageItem
              key={message.id}
              by={message.role}
              content={message.content}
              citations={message.citations}
              onAsk={onAsk}
            />
          ))}
          {open !== null && (
            <>
              <MessageItem by="user" content={open.question} />
              <MessageItem by="assistant" content={open.words} isBusy={open.state === 'hearing'}>
                <OpenState open={open} onAsk={onAsk} />
              </MessageItem>
            </>
          )}
        </ol>
      </div>
      <div ref={end} class="conversation-end" />
    </>
  );
}

function OpenState({ open, onAsk }: { readonly open: OpenQuestion; readonly onAsk: (question: string) => void }) {
  const { state, words, problem, question } = open;
  if (state === 'hearing') return words === '' ? <p class="fine">Checking your records…</p> : null;
  return (
    <>
      {problem === null ? <p class="fine">You stopped the answer.</p> : <ProblemNotice problem={problem} />}
      {problem?.code !== 'ai_quota' && <Button label="Ask again" onClick={() => onAsk(question)} />}
    </>
  );
}

/** Example questions, shown before the first one. */
function Examples({ onAsk }: Pick<ConversationProps, 'onAsk'>) {
  const years = (useYears().data?.data ?? []).map(({ year }) => year);
  if (years.length === 0) {
    return (
      <Empty title="Nothing to ask about yet">
        Once your files are in, ask about any gain, lot or wash sale, and the answer comes from your data.
      </Empty>
    );
  }
  const of = ` in ${Math.max(...years)}`;
  return (
    <Card title="For example">
      <ul class="examples">
        {[
          `What were my gains${of}?`,
          'When do my lots become long-term?',
          'How much of my losses carries over?',
          `Did I have wash sales${of}?`,
          'Which issues are open?',
        ].map((question) => (
          <li key={question}>
            <Button label={question} onClick={() => onAsk(question)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface MessageItemProps {
  readonly by: ConversationMessage['role'];
  readonly content: string;
  readonly citations?: ConversationMessage['citations'];
  /** Asks a suggested question. Without it, suggestions are plain text. */
  readonly onAsk?: (question: string) => void;
  /** Whether more words are coming. */
  readonly isBusy?: boolean;
  readonly children?: ComponentChildren;
}

/** The line before suggested questions in a reply of the built-in assistant. */
const suggestionsTitle = 'You can ask:';

/** One message, with links to the pages that show its numbers. */
function MessageItem({ by, content, citations = [], onAsk, isBusy = false, children }: MessageItemProps) {
  const blocks = (by === 'user' ? parseBlocks : parseReplyBlocks)(content);
  return (
    <li class={`spoken ${by}`} aria-busy={isBusy}>
      <span class="visually-hidden">{by === 'user' ? 'You asked:' : 'Answer:'}</span>
      <div class="spoken-text">
        {blocks.map((block, at) =>
          typeof block === 'string' ? (
            <p key={block}>{block}</p>
          ) : (
            <ul key={block.join()}>
              {block.map((item) => (
                <li key={item}>
                  {onAsk !== undefined && blocks[at - 1] === suggestionsTitle ? (
                    <Button label={item} class="plain" onClick={() => onAsk(item)} />
                  ) : (
                    item
                  )}
                </li>
              ))}
            </ul>
          ),
        )}
      </div>
      {citations.length > 0 && (
        <ul class="citations" aria-label="Sources">
          {citations.map(({ title, href }) => {
            const pageLocation = findPage(href);
            return (
              <li key={href}>
                {pageLocation === null ? title : <a href={to(pageLocation.path, pageLocation.query)}>{title}</a>}
              </li>
            );
          })}
        </ul>
      )}
      {children}
    </li>
  );
}

interface ComposerProps {
  /** A running answer can be stopped. */
  readonly isHearing: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}

/** The question box. Text that was typed survives a reload. */
function Composer({ isHearing, onAsk, onStop }: ComposerProps) {
  const id = useId();
  const [{ question }, setDraft, forget] = useDraft('question', { question: '' });
  const isEmpty = question.trim() === '';
  function send(event: Event): void {
    event.preventDefault();
    if (isEmpty || isHearing) return;
    forget();
    onAsk(question.trim());
  }
  return (
    <form class="composer" onSubmit={send}>
      <label for={id} class="visually-hidden">
        Your question
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={4_000}
        placeholder="Ask about your taxes"
        value={question}
        onInput={(event) => setDraft({ question: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
        }}
      />
      {isHearing ? (
        <Button icon="close" label="Stop" onClick={onStop} />
      ) : (
        <Button label="Ask" type="submit" class="primary" disabled={isEmpty} />
      )}
      <Quota />
    </form>
  );
}

/** Shows how many questions are left today. */
function Quota() {
  const quota = useStatus().data?.quotas.aiMessages;
  if (quota === undefined) return null;
  const { used, limit, resetsAt } = quota;
  if (limit === null) return <p class="fine">Your plan has no daily limit.</p>;
  return (
    <p class="fine">
      {count(used)} of {count(limit)} questions used today.{' '}
      {used >= limit && (
        <>
          You can ask again on {moment(resetsAt)}, and <a href={to('/account/plan')}>other plans</a> have no limit.
        </>
      )}
    </p>
  );
}

type ConversationMessage = ItemOf<typeof api.ai.messages.get>;

/** Asks a question and returns the answer, word by word. Throws a Problem if it is refused or interrupted. */
async function ask(
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

interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Yields the events of a streamed POST response, which the browser's EventSource cannot read. */
async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) yield { event: /^event: (.*)$/m.exec(block)?.[1] ?? 'message', data: JSON.parse(data) };
    }
  }
}
