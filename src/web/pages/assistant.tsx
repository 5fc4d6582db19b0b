import { useEffect, useRef, useState } from 'preact/hooks';
import { useList } from '../api/list.ts';
import { clientId } from '../api/page-url.ts';
import { type Problem, toProblem } from '../api/problem.ts';
import { refresh } from '../api/resource.ts';
import { useServerConfig } from '../api/server-config.ts';
import { account } from '../api/session.ts';
import { useYears } from '../api/tax-year.ts';
import { ClientAiConsents } from '../parts/ai-consents.tsx';
import { Empty } from '../parts/empty.tsx';
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

export default function Assistant() {
  const { reading, showMore } = useList('messages', readMessages);
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
