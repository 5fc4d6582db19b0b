import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, type DataOf, type ItemOf, useApi, write } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useReviewCount } from '../api/status.ts';
import { thisYear, useKnownYear, useYears } from '../api/tax-year.ts';
import { say, sayProblem } from '../api/toasts.ts';
import { formTabs } from '../destinations.ts';
import { count, formatCount, isZero } from '../format/amounts.ts';
import { moment } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { Button, useAction } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Empty, Page, ResourceView, Tabs } from '../parts/page.tsx';
import { SignOffBar, useReview } from '../parts/sign-off/sign-off-bar.tsx';
import { Table, TotalsTable } from '../parts/tables/table.tsx';
import { YearReports } from './reports/year-report.tsx';
import { formatCause, useCauses } from './review/causes.tsx';

/** The forms and files for a year, and its lock. A URL that names a report redirects to its year. */
export default function Reports() {
  const { query, route } = useLocation();
  const id = query.report;
  const named = useApi(id === undefined ? null : `report ${id}`, () => api.tax.reports({ id: id ?? '' }).get());
  const known = useKnownYear();
  const year = id === undefined ? known : (named.data?.year ?? null);
  useEffect(() => {
    if (named.data !== undefined && named.data.year !== known) {
      route(to('/forms', { ...query, year: named.data.year }), true);
    }
  }, [named.data]);
  const years = useYears().data?.data;
  if (year === null || (id === undefined && years?.length === 0)) {
    return (
      <Page title="Forms">
        <Tabs label="Forms" tabs={formTabs} />
        {id === undefined ? <NoYears /> : <ResourceView reading={named}>{() => null}</ResourceView>}
      </Page>
    );
  }
  return (
    <Page
      title={`${year} tax forms`}
      lead="Forms to file, tables for your tax software, and the calculations behind them."
    >
      <Tabs label="Forms" tabs={formTabs} />
      <SignOffBar year={year} />
      <YearReports year={year} />
      <YearLock year={year} />
    </Page>
  );
}

function NoYears() {
  return (
    <ResourceView reading={useYears()}>
      {() => (
        <Empty title="No forms yet">
          Each tax year with activity gets its Form 8949, Schedule D and files for tax software here.
        </Empty>
      )}
    </ResourceView>
  );
}

type YearEvent = ItemOf<ReturnType<typeof api.tax.years>['history']['get']>;

/** Locks a filed year and shows later changes. A year that is not over cannot have been filed. */
function YearLock({ year }: { readonly year: number }) {
  const { query } = useLocation();
  const reading = useApi(`history ${year}`, () => api.tax.years({ year }).history.get({ query: { limit: 100 } }));
  if (year >= thisYear() && !reading.data?.data.length) return null;
  return (
    <>
      <Card title={`Filed ${year}?`}>
        <ResourceView reading={reading}>
          {({ data }) => (
            <>
              <LockState year={year} last={data[0]} />
              {data.length > 0 && <History year={year} events={data} />}
            </>
          )}
        </ResourceView>
      </Card>
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
            <Button
              icon={isLocked ? 'open' : 'lock'}
              label={isLocked ? `Unlock ${year}` : `Lock ${year}`}
              aria-disabled={isBusy}
              onClick={() => (issues > 0 && !isLocked ? setAsking(true) : void toggleLock())}
            />
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
            <Button label="Lock anyway" class="primary" onClick={() => void toggleLock()} />
            <Button label="Cancel" onClick={() => setAsking(false)} />
          </p>
        </Dialog>
      )}
    </>
  );
}

/** The largest open items, with the dollars affected. */
function OpenItems({ year }: { readonly year: number }) {
  const causes = useCauses(year).data?.data;
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
  await (isLocked ? write(one.lock.post()) : write(one.unlock.post()));
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

type AmendedYear = DataOf<ReturnType<typeof api.tax.years>['amendment']['get']>;
type TotalsPair = AmendedYear['totals']['total'];

/** Compares the entries of an unlocked year with the locked ones, as an amended return reports them. */
function AmendmentView({ year, lock }: { readonly year: number; readonly lock: string | undefined }) {
  const query = lock === undefined ? { limit: 500 } : { limit: 500, lock };
  const reading = useApi(`amendment ${year} ${lock ?? ''}`, () => api.tax.years({ year }).amendment.get({ query }));
  return (
    <Card title="Changes since the lock">
      <ResourceView reading={reading}>
        {(amendment) =>
          amendment.data.length === 0 ? (
            <p>No Form 8949 entry has changed since {moment(amendment.lock.at)}.</p>
          ) : (
            <>
              <p>
                Since {moment(amendment.lock.at)}: {formatCount(amendment.counts.added, 'entry', 'entries')} added,{' '}
                {count(amendment.counts.gone)} removed, {count(amendment.counts.changed)} changed. If you filed the
                return with the old entries, amend it with Form 1040-X, a new Form 8949 and a new Schedule D.
              </p>
              <YearTotals {...amendment} />
              <ChangesTable amendment={amendment} />
            </>
          )
        }
      </ResourceView>
    </Card>
  );
}

function YearTotals({ year, totals }: Pick<AmendedYear, 'year' | 'totals'>) {
  const pairs: readonly (readonly [name: string, pair: TotalsPair, term?: string])[] = [
    ['Short-term', totals.shortTerm, 'short'],
    ['Long-term', totals.longTerm, 'long'],
    ['Total', totals.total],
  ];
  const rows = pairs.flatMap(([name, { before, after }, term]) => [
    { key: `${name} before`, name: `${name}, when locked`, totals: before },
    { key: name, name: <a href={to('/forms/8949', { year, term })}>{name}, now</a>, totals: after },
  ]);
  return <TotalsTable label="Totals, when locked and now" rows={rows} />;
}

const changeWords = { added: 'Added', gone: 'Removed', changed: 'Changed' } as const;

function ChangesTable({ amendment: { year, data, hasMore, counts } }: { readonly amendment: AmendedYear }) {
  return (
    <>
      <h3>Entry by entry</h3>
      <Table
        label="Changed entries"
        rows={data.flatMap((change) => {
          const line = change.after ?? change.before;
          return line === null ? [] : [{ ...change, line }];
        })}
        keyOf={({ line }) => line.id}
        hrefOf={({ line }) => to('/forms/8949', { year, asset: line.asset })}
        columns={[
          { head: 'Entry', cell: ({ line }) => `${line.quantity} ${line.asset}` },
          { head: 'Sold', kind: 'day', cell: ({ line }) => line.sold },
          {
            head: 'Change',
            cell: ({ change, columns }) =>
              [changeWords[change], columns.map(columnWord).join(', ')].filter(Boolean).join(': '),
          },
          { head: 'Gain when locked', kind: 'gain', cell: ({ before }) => before?.gain },
          { head: 'Gain now', kind: 'gain', cell: ({ after }) => after?.gain },
        ]}
      />
      {hasMore && (
        <p class="fine">
          The first {count(data.length)} of {count(counts.added + counts.gone + counts.changed)}.
        </p>
      )}
    </>
  );
}

/** `heldSince` → `held since`. */
const columnWord = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
