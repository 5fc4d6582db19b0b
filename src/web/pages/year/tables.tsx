import { boxNames } from '../../../engine/statement-values.ts';
import { to } from '../../api/page-url.ts';
import { count } from '../../format/amounts.ts';
import { typeName } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { LinkedTable } from '../../parts/tables/linked-table.tsx';
import type { YearSummary } from './summary.ts';

/** The year by asset, by Form 8949 box and by income type. Each row links to its entries. */
export function YearTables({ summary }: { readonly summary: YearSummary }) {
  const { year, assets, boxes, income } = summary;
  return (
    <>
      {assets.length > 0 && (
        <section class="card">
          <h2>By asset</h2>
          <LinkedTable
            head={['Asset', 'Entries', 'Proceeds', 'Cost basis', 'Gain']}
            rows={assets.map(({ asset, assetClass, count, proceeds, basis, gain }) => ({
              key: `${asset} ${assetClass}`,
              name: asset,
              href: to('/forms/8949', { year, asset }),
              cells: [count, <Money amount={proceeds} />, <Money amount={basis} />, <Money amount={gain} signed />],
            }))}
            most={12}
          />
        </section>
      )}
      {boxes.length > 0 && (
        <section class="card">
          <h2>
            By <HelpTerm entry="form-8949-boxes">Form 8949 box</HelpTerm>
          </h2>
          <LinkedTable
            head={['Box', 'Entries', 'Proceeds', 'Cost basis', 'Adjustment', 'Gain']}
            rows={boxes.map(({ box, count, proceeds, basis, adjustment, gain }) => ({
              key: box,
              name: `Box ${box}: ${boxNames[box]}`,
              href: to('/forms/8949', { year, box }),
              cells: [
                count,
                <Money amount={proceeds} />,
                <Money amount={basis} />,
                <Money amount={adjustment} />,
                <Money amount={gain} signed />,
              ],
            }))}
          />
        </section>
      )}
      {income.length > 0 && (
        <section class="card">
          <h2>Income</h2>
          <p class="fine">
            Not capital gains. Reported on Schedules 1 and B. <HelpTerm entry="income-in-kind">Learn more</HelpTerm>
          </p>
          <LinkedTable
            head={['Type', 'Amount']}
            rows={income.map(({ type, amount, count: rows }) => ({
              key: type,
              name: `${typeName(type)} (${count(rows)})`,
              href: to('/transactions', { year, type }),
              cells: [<Money amount={amount} />],
            }))}
          />
        </section>
      )}
    </>
  );
}
