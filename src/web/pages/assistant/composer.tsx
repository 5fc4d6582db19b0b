import { useId } from 'preact/hooks';
import { useDraft } from '../../api/draft.ts';
import { to } from '../../api/page-url.ts';
import { useStatus } from '../../api/status.ts';
import { count } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { Icon } from '../../parts/icon.tsx';

interface ComposerProps {
  /** A running answer can be stopped. */
  readonly isHearing: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}

/** The question box. Text that was typed survives a reload. */
export function Composer({ isHearing, onAsk, onStop }: ComposerProps) {
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
        <button type="button" onClick={onStop}>
          <Icon name="close" /> Stop
        </button>
      ) : (
        <button type="submit" class="primary" disabled={isEmpty}>
          Ask
        </button>
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
