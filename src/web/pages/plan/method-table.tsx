import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { type DecimalText, isZero } from '../../format/amounts.ts';
import { entryOfMethod } from '../../format/help-entries.ts';
import { methodNames } from '../../format/methods.ts';
import { smallestAt } from '../../format/scale.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { type SalePreview, useMethodInForce } from './sale.ts';

interface MethodTableProps {
  readonly answer: SalePreview;
  /** Empty for the method in effect. */
  readonly chosen: string;
}

/** Compares the sale under each lot method. Clicking a method shows the lots that it selects. */
export function MethodTable({ answer, chosen }: MethodTableProps) {
  const { query } = useLocation();
  const inForce = useMethodInForce(answer);
  const shown = chosen === '' ? inForce : chosen;
  const least = smallestAt(answer.comparison.map(({ gain }) => gain));
  const differ = new Set(answer.comparison.map(({ gain }) => gain)).size > 1;
  return (
    <>
      <Table
        label="Compare methods"
        class="methods"
        rows={answer.comparison}
        keyOf={({ method }) => method}
        isCurrent={({ method }) => method === shown}
        columns={[
          {
            head: 'Lot method',
            cell: (row) => (
              <>
                <a href={to('/planning', { ...query, method: row.method === inForce ? null : row.method })}>
                  {methodNames[row.method]}
                </a>
                <p class="fine">
                  <HelpTerm entry={entryOfMethod[row.method] ?? 'lot-method'}>{row.method}</HelpTerm>
                  {row.method === inForce && ', your method'}
                  {row === answer.comparison[least] && differ && ', lowest gain'}
                </p>
              </>
            ),
          },
          { head: 'Cost basis', kind: 'money', isSpare: true, cell: ({ basis }) => basis },
          {
            head: 'Gain',
            kind: 'gain',
            sort: ({ gain }) => gain,
            cell: ({ gain, shortTermGain, longTermGain, adjustment }) => (
              <>
                <strong>
                  <Money amount={gain} signed />
                </strong>
                <Parts short={shortTermGain} long={longTermGain} />
                {!isZero(adjustment) && (
                  <p class="fine">
                    <Money amount={adjustment} /> disallowed
                  </p>
                )}
              </>
            ),
          },
          { head: 'Short-term', kind: 'gain', isSpare: true, cell: ({ shortTermGain }) => shortTermGain },
          { head: 'Long-term', kind: 'gain', isSpare: true, cell: ({ longTermGain }) => longTermGain },
          {
            head: 'Year total after',
            kind: 'number',
            cell: ({ years }) =>
              years.map(({ year, gain }) => (
                <p key={year} class="plain-line">
                  {years.length > 1 && `${year}: `}
                  <Money amount={gain} signed />
                </p>
              )),
          },
        ]}
      />
      <p class="fine">
        To use another method, instruct your broker which lots to sell before the trade settles (26 CFR 1.1012-1(c)).{' '}
        <HelpTerm entry="specific-identification">Learn more</HelpTerm>
      </p>
    </>
  );
}

interface PartsProps {
  readonly short: DecimalText;
  readonly long: DecimalText;
}

/** The short-term and long-term parts, for phones, which hide those columns. */
function Parts({ short, long }: PartsProps) {
  return (
    <div class="fine on-phone">
      {!isZero(short) && <p class="plain-line">{!isZero(long) && <Money amount={short} />} short-term</p>}
      {!isZero(long) && <p class="plain-line">{!isZero(short) && <Money amount={long} />} long-term</p>}
    </div>
  );
}
