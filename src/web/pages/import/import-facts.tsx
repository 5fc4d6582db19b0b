import { to } from '../../api/page-url.ts';
import { useFormats } from '../../api/status.ts';
import { useYears } from '../../api/tax-year.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { withFormats } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { Points } from '../../parts/points.tsx';

/** The facts of an import: source, counts, years and what to check. */

/** Returns the display name of a file's source. */
export function useFormatName(id: string | null): string {
  const known = useFormats().data?.data.find((format) => format.id === id);
  if (id === 'mapping') return 'Custom CSV';
  return known?.name ?? id ?? 'an unread file';
}

/** The number of transactions, which the plan, the notification and the list of imports also count. */
export function ImportedTransactions({ result }: { readonly result: ImportedFile }) {
  const { imported, transactions, preview } = result;
  return (
    <>
      <strong>{formatCount(transactions, preview === undefined ? 'transaction' : 'new transaction')}</strong>
      {imported !== transactions && ` from ${formatCount(imported, 'row')}`}
    </>
  );
}

/** The four counts, which add up to the number of rows in the file. */
export function ImportCounts({ result }: { readonly result: ImportedFile }) {
  const { rows, imported, duplicates, skipped, rejected, id } = result;
  const isStored = result.preview === undefined;
  return (
    <dl class="counts">
      <Count name={isStored ? 'imported' : 'new'} value={imported} />
      <Count name="duplicates" value={duplicates} />
      <Count name="not taxable" value={skipped} />
      <Count
        name="couldn't read"
        value={rejected}
        isBad={rejected > 0}
        href={rejected > 0 && isStored ? to('/import/rejected', { importId: id }) : undefined}
      />
      <Count name={rows === 1 ? 'row' : 'rows'} value={rows} />
    </dl>
  );
}

interface CountProps {
  readonly name: string;
  readonly value: number;
  readonly isBad?: boolean;
  readonly href?: string | undefined;
}

function Count({ name, value, isBad = false, href }: CountProps) {
  return (
    <div class={isBad ? 'bad' : ''}>
      <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
      <dd>{count(value)}</dd>
    </div>
  );
}

/** The affected tax years with their current gains. */
export function ImportYears({ years }: { readonly years: readonly number[] }) {
  const lines = useYears().data?.data ?? [];
  const findGain = (year: number) => lines.find((line) => line.year === year)?.gain;
  const hasGain = years.some((year) => findGain(year) !== undefined);
  return (
    <>
      {years.map((year, at) => {
        const gain = findGain(year);
        return (
          <span key={year}>
            {at > 0 ? ', ' : hasGain ? ' · net gain so far: ' : ' · '}
            <a href={to('/overview', { year })}>{year}</a>
            {gain !== undefined && (
              <>
                {' '}
                <Money amount={gain} signed />
              </>
            )}
          </span>
        );
      })}
    </>
  );
}

const resultNames = {
  price: ['price', 'prices'],
  gain: ['gain', 'gains'],
  sale: ['gain of a sale', 'gains of sales'],
  total: ['total', 'totals'],
  position: ['gain of a closed position', 'gains of closed positions'],
  balance: ['balance', 'balances'],
} as const;

/** Things for the user to check, each with a link. */
export function ImportNotes({ result }: { readonly result: ImportedFile }) {
  const { issues, possibleDuplicates, proposedRows, accountOffers, accountQuestions, warnings, skips, id } = result;
  const offered = accountOffers.reduce((sum, offer) => sum + offer.rows, 0);
  return (
    <>
      <Points
        items={[
          issues > 0 && (
            <>
              <a href={to('/review', { years: 'all' })}>{formatCount(issues, 'item')} to review</a> from this file
            </>
          ),
          proposedRows > 0 && (
            <>
              <a href={to('/review', { years: 'all', kind: 'row_differs' })}>{formatCount(proposedRows, 'row')}</a> that
              an earlier file has with different numbers. They are not saved until you decide. You can resolve all at
              once.
            </>
          ),
          offered > 0 && (
            <>
              <a href={to(`/import/${id}`)}>{formatCount(offered, 'earlier row')}</a> without an account, which this
              file names
            </>
          ),
          accountQuestions > 0 && (
            <>
              <a href={to(`/import/${id}`)}>{formatCount(accountQuestions, 'question')}</a> about whether two files
              belong to the same account
            </>
          ),
          possibleDuplicates > 0 && (
            <>
              <a href={to('/transactions', { importId: id })}>{formatCount(possibleDuplicates, 'row')}</a> that another
              file may also have, possibly with different numbers. All of them count until you delete one.
            </>
          ),
        ]}
      />
      {warnings.count > 0 && (
        <Points
          title={`${formatCount(warnings.count, 'row')} with amounts that don't add up`}
          items={warnings.lines.map(({ detail }) => withFormats(detail))}
        />
      )}
      <Points
        title="Results in your file, compared with ours"
        items={warnings.results.map(({ result: kind, compared, differing }) => (
          <>
            {formatCount(compared, resultNames[kind][0], resultNames[kind][1])}:{' '}
            {differing === null ? (
              <>
                each difference is in <a href={to('/review', { years: 'all' })}>your list to review</a>
              </>
            ) : differing === 0 || kind === 'price' ? (
              `${differing || 'none'} differ`
            ) : (
              <a href={to('/import/rejected', { importId: id })}>{differing} differ</a>
            )}
          </>
        ))}
      />
      <Points
        title={`Why ${formatCount(result.skipped, 'row')} ${result.skipped === 1 ? 'was' : 'were'} skipped`}
        items={skips.map(({ reason, lines }) => `${reason}: ${formatCount(lines, 'row')}`)}
      />
    </>
  );
}
