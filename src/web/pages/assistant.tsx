import { useEffect, useRef, useState } from 'preact/hooks';
import { clientId } from '../api/page-url.ts';
import { type Problem, toProblem } from '../api/problem.ts';
import { refresh, useResource } from '../api/resource.ts';
import { useServerConfig } from '../api/server-config.ts';
import { account } from '../api/session.ts';
import { useYears } from '../api/tax-year.ts';
import { ClientAiConsents } from '../parts/ai-consents.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { Composer } from './assistant/composer.tsx';
import { ask, type ConversationMessage, readMessages } from './assistant/conversation.ts';
import { MessageItem } from './assistant/message.tsx';

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
const pageSize = 60;

export default function Assistant() {
  const [limit, setLimit] = useState(pageSize);
  const reading = useResource(`messages ${limit}`, () => readMessages(limit));
  const builtin = useServerConfig().data?.assistant === 'builtin';
  const newest = reading.data?.data[0]?.id ?? null;
  const { open, start, stop } = useQuestion(newest);
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
        {({ data, hasMore }) => (
          <Conversation
            messages={data}
            open={open}
            onAsk={start}
            onEarlier={hasMore ? () => setLimit(limit + 200) : null}
          />
        )}
      </ResourceView>
      {account.value?.demo ? (
        <DemoAssistant />
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
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  async function start(question: string): Promise<void> {
    const leave = new AbortController();
    stopper.current = leave;
    setOpen({ question, words: '', state: 'hearing', problem: null, after: newest });
    const change = (next: (before: OpenQuestion) => OpenQuestion) => setOpen((before) => before && next(before));
    try {
      await ask(question, (words) => change((before) => ({ ...before, words: before.words + words })), leave.signal);
      refresh();
    } catch (error) {
      const problem = leave.signal.aborted ? null : toProblem(error);
      change((before) => ({ ...before, state: problem === null ? 'stopped' : 'failed', problem }));
      setTimeout(refresh, storedAfter);
    }
  }
  const isStored = open !== null && open.after !== newest;
  return {
    open: isStored ? null : open,
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
  if (messages.length === 0 && open === null) return account.value?.demo ? null : <Examples onAsk={onAsk} />;
  return (
    <>
      {onEarlier !== null && (
        <button type="button" onClick={onEarlier}>
          Show earlier questions
        </button>
      )}
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
      {problem?.code !== 'ai_quota' && (
        <button type="button" onClick={() => onAsk(question)}>
          Ask again
        </button>
      )}
    </>
  );
}

/** Questions are stored in the books, and all visitors share the demo books. */
function DemoAssistant() {
  return (
    <section class="card">
      <h2>Answers about your own records</h2>
      <p>
        Ask about your gains, when lots become long-term, or how much of your losses carries over. You get answers to
        the cent, with the entries behind them. Not available in the demo.
      </p>
      <p class="actions">
        <a class="button primary" href="/register">
          Create account
        </a>
      </p>
    </section>
  );
}

/** Example questions, shown before the first one. */
function Examples({ onAsk }: Pick<ConversationProps, 'onAsk'>) {
  const years = (useYears().data?.data ?? []).map(({ year }) => year);
  const of = years.length === 0 ? '' : ` in ${Math.max(...years)}`;
  return (
    <section class="card">
      <h2>For example</h2>
      <ul class="examples">
        {[
          `What were my gains${of}?`,
          'When do my lots become long-term?',
          'How much of my losses carries over?',
          `Did I have wash sales${of}?`,
          'Which issues are open?',
        ].map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
