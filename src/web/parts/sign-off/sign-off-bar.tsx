import { type ReviewStateName, setReviewState, useReview, type YearReviewResponse } from '../../api/review.ts';
import { formatCount } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { reviewWords } from '../../format/roles.ts';
import { Icon } from '../icon.tsx';
import { say, sayProblem } from '../toasts.tsx';
import { useAction } from '../use-action.ts';

/** The review status of a year and the next step. Renders nothing if only the owner has access. */
export function SignOffBar({ year }: { readonly year: number }) {
  const { data } = useReview(year);
  if (data === undefined || !(data.shared || data.steps.length > 0)) return null;
  return (
    <section class="card sign-off" aria-label={`Review of ${year}`}>
      <ol class="sign-off-steps">
        {states.map((state) => (
          <li
            key={state}
            class={states.indexOf(state) <= states.indexOf(data.state) ? 'done' : ''}
            aria-current={state === data.state ? 'step' : undefined}
          >
            {reviewWords[state]}
          </li>
        ))}
      </ol>
      <p class="fine">
        {data.by === null || data.at === null ? 'Not prepared.' : `By ${data.by}, ${moment(data.at)}.`}{' '}
        {data.state === 'signed_off' && 'The year is locked. '}
        {data.openNotes > 0 && `${formatCount(data.openNotes, 'open note')}. `}
      </p>
      {data.changed && (
        <p class="sign-off-changed">
          <Icon name="warning" /> Numbers changed since {data.state === 'signed_off' ? 'sign-off' : 'then'}.
        </p>
      )}
      <NextSteps review={data} />
      {data.steps.length > 1 && <StepHistory review={data} />}
    </section>
  );
}

const states: readonly ReviewStateName[] = ['open', 'prepared', 'reviewed', 'signed_off'];

function NextSteps({ review: { year, state, next, changed } }: { readonly review: YearReviewResponse }) {
  const { act, isBusy } = useAction();
  const take = (step: ReviewStateName) =>
    act(async () => {
      await setReviewState(year, step);
      const isBack = step === 'open' || state === 'signed_off';
      say(describeReviewChange(year, step), isBack ? null : () => setReviewState(year, 'open'));
    }, sayProblem);
  const forward = next.filter((step) => step !== 'open');
  if (next.length === 0) return null;
  return (
    <p class="actions">
      {forward.map((step) => (
        <button key={step} type="button" class="primary" aria-disabled={isBusy} onClick={() => void take(step)}>
          <Icon name={step === 'signed_off' ? 'lock' : 'check'} /> {formatStepLabel(step, step === state && changed)}
        </button>
      ))}
      {next.includes('open') && (
        <button type="button" aria-disabled={isBusy} onClick={() => void take('open')}>
          <Icon name="open" /> {state === 'signed_off' ? 'Unlock and reopen' : 'Reopen'}
        </button>
      )}
    </p>
  );
}

function formatStepLabel(step: ReviewStateName, isAgain: boolean): string {
  const names: Readonly<Record<ReviewStateName, string>> = {
    open: 'Reopen',
    prepared: 'Mark as prepared',
    reviewed: 'Mark as reviewed',
    signed_off: 'Sign off and lock',
  };
  return isAgain ? `${names[step]} again` : names[step];
}

function describeReviewChange(year: number, step: ReviewStateName): string {
  return step === 'open' ? `${year} reopened.` : `${year} is ${reviewWords[step].toLowerCase()}.`;
}

function StepHistory({ review: { year, steps } }: { readonly review: YearReviewResponse }) {
  return (
    <details>
      <summary>Activity log for {year}</summary>
      <ul class="history">
        {steps.map(({ state, by, at }) => (
          <li key={`${state} ${at}`}>
            <strong>{reviewWords[state]}</strong> {moment(at)} by {by}
          </li>
        ))}
      </ul>
    </details>
  );
}
