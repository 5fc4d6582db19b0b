import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { type DecimalText, isZero } from '../../format/amounts.ts';
import { entryOfMethod } from '../../format/help-entries.ts';
import { methodNames } from '../../format/methods.ts';
import { smallestAt } from '../../format/scale.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
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
      <Scroll label="Compare methods">
        <table class="methods">
          <TableHead
            columns={[
              'Lot method',
              { spareNumber: 'Cost basis' },
              { number: 'Gain' },
              { spareNumber: 'Short-term' },
              { spareNumber: 'Long-term' },
              { number: 'Year total after' },
            ]}
          />
          <tbody>
            {answer.comparison.map(({ method, basis, gain, shortTermGain, longTermGain, adjustment, years }, at) => (
              <tr key={method} aria-current={method === shown ? 'true' : undefined}>
                <th scope="row">
                  <a href={to('/planning', { ...query, method: method === inForce ? null : method })}>
                    {methodNames[method]}
                  </a>
                  <p class="fine">
                    <HelpTerm entry={entryOfMethod[method] ?? 'lot-method'}>{method}</HelpTerm>
                    {method === inForce && ', your method'}
                    {at === least && differ && ', lowest gain'}
                  </p>
                </th>
                <td class="number spare">
                  <Money amount={basis} />
                </td>
                <td class="number">
                  <strong>
                    <Money amount={gain} signed />
                  </strong>
                  <Parts short={shortTermGain} long={longTermGain} />
                  {!isZero(adjustment) && (
                    <p class="fine">
                      <Money amount={adjustment} /> disallowed
                    </p>
                  )}
                </td>
                <td class="number spare">
                  <Money amount={shortTermGain} signed />
                </td>
                <td class="number spare">
                  <Money amount={longTermGain} signed />
                </td>
                <td class="number">
                  {years.map(({ year, gain: ofYear }) => (
                    <p key={year} class="plain-line">
                      {years.length > 1 && `${year}: `}
                      <Money amount={ofYear} signed />
                    </p>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
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
