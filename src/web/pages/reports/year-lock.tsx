import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { useReview } from '../../api/review.ts';
import { useReviewCount } from '../../api/status.ts';
import { thisYear } from '../../api/tax-year.ts';
import { count, formatCount, isZero } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { formatCause, readCauses } from '../review/causes.tsx';
import { AmendmentView } from './amendment.tsx';

type YearEvent = Awaited<ReturnType<typeof readHistory>>['data'][number];

function readHistory(year: number) {
  return unwrapResponse(api.tax.years({ year }).history.get({ query: { limit: 100 } }));
}

/** Locks a filed year and shows later changes. A year that is not over cannot have been filed. */
export function YearLock({ year }: { readonly year: number }) {
  const { query } = useLocation();
  const reading = useResource(`history ${year}`, () => readHistory(year));
  if (year >= thisYear() && !reading.data?.data.length) return null;
  return (
    <>
      <section class="card">
        <h2>Filed {year}?</h2>
        <ResourceView reading={reading}>
          {({ data }) => (
            <>
              <LockState year={year} last={data[0]} />
              {data.length > 0 && <History year={year} events={data} />}
            </>
          )}
        </ResourceView>
      </section>
      {reading.data?.data[0]?.action === 'unlock' && <AmendmentView year={year} lock={query.lock} />}
    </>
  );
}

function LockState({ year, last }: { readonly year: number; readonly last: YearEvent | undefined }) {
  const { act, isBusy } = useAction();
  const [isAsking, setAsking] = useState(false);
  const isLocked = last?.action === 'lock';
  const role = useReview(year).data?.role;
  const issues = useReviewCount(year) ?? 0;
  const toggleLock = () => {
    setAsking(false);
    return act(async () => {
      await setLocked(year, !isLocked);
      say(isLocked ? `${year} unlocked.` : `${year} locked.`, () => setLocked(year, isLocked));
    }, sayProblem);
  };
  return (
    <>
      {isLocked ? (
        <p>
          <strong>
            {year} has been locked since {moment(last.at)}.
          </strong>{' '}
          No import, edit, tax choice or answer can change its Form 8949 entries. To amend the return, unlock the year.
        </p>
      ) : (
        <p>
          Lock the year so nothing can change what you filed. You can unlock it later, and compare any changes with what
          you filed. <HelpTerm entry="lock-year">Learn more</HelpTerm>
        </p>
      )}
      {role === 'viewer' || role === 'preparer' ? (
        <p class="fine">Only a reviewer can lock or unlock a year. Your role is {role}.</p>
      ) : (
        <p class="actions">
          <OwnBooks>
            <button
              type="button"
              aria-disabled={isBusy}
              onClick={() => (issues > 0 && !isLocked ? setAsking(true) : void toggleLock())}
            >
              <Icon name={isLocked ? 'open' : 'lock'} /> {isLocked ? `Unlock ${year}` : `Lock ${year}`}
            </button>
          </OwnBooks>
        </p>
      )}
      {isAsking && (
        <Dialog title={`Lock ${year} with open items?`} onClose={() => setAsking(false)}>
          <p>
            <a href={to('/review', { year })}>{formatCount(issues, 'item')} to review</a> for {year}. While the year is
            locked, answers that would change its Form 8949 entries are refused.
          </p>
          <OpenItems year={year} />
          <p class="actions">
            <button type="button" class="primary" onClick={() => void toggleLock()}>
              Lock anyway
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

/** The largest open items, with the dollars affected. */
function OpenItems({ year }: { readonly year: number }) {
  const causes = useResource(`causes ${year}`, () => readCauses(year)).data?.data;
  if (causes === undefined) return null;
  const more = causes.length - causesMax;
  return (
    <ul class="history">
      {causes.slice(0, causesMax).map((cause) => (
        <li key={cause.id}>
          {formatCause(cause)} · {isZero(cause.dollars) ? 'amount unknown' : <Money amount={cause.dollars} />}
        </li>
      ))}
      {more > 0 && <li>{count(more)} more</li>}
    </ul>
  );
}

const causesMax = 5;

async function setLocked(year: number, isLocked: boolean): Promise<void> {
  const one = api.tax.years({ year });
  await unwrapResponse(isLocked ? one.lock.post() : one.unlock.post());
  booksChanged();
}

function History({ year, events }: { readonly year: number; readonly events: readonly YearEvent[] }) {
  const isOpen = events[0]?.action === 'unlock';
  return (
    <details>
      <summary>{year} history</summary>
      <ul class="history">
        {events.map(({ id, action, at, by, lines }) => (
          <li key={id}>
            <strong>{action === 'lock' ? 'Locked' : 'Unlocked'}</strong> {moment(at)} by {by}
            {action === 'lock' && `, with ${formatCount(lines, 'entry', 'entries')}`}.{' '}
            {isOpen && action === 'lock' && <a href={to('/forms', { year, lock: id })}>Compare with now</a>}
          </li>
        ))}
      </ul>
    </details>
  );
}
