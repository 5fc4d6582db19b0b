import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { TotalsTable } from '../../parts/tables/totals-table.tsx';

type AmendedYear = Awaited<ReturnType<typeof readAmendment>>;
type TotalsPair = AmendedYear['totals']['total'];

function readAmendment(year: number, lock: string | undefined) {
  const query = lock === undefined ? { limit: 500 } : { limit: 500, lock };
  return unwrapResponse(api.tax.years({ year }).amendment.get({ query }));
}

/** Compares the entries of an unlocked year with the locked ones, as an amended return reports them. */
export function AmendmentView({ year, lock }: { readonly year: number; readonly lock: string | undefined }) {
  const reading = useResource(`amendment ${year} ${lock ?? ''}`, () => readAmendment(year, lock));
  return (
    <section class="card">
      <h2>Changes since the lock</h2>
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
    </section>
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
function columnWord(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
