import { to } from '../../api/acting.ts';
import { counted } from '../../format/amounts.ts';
import { boxNames } from '../../format/boxes.ts';
import { titled } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import { LinkedTable } from '../../parts/tables/linked-table.tsx';
import type { YearSummary } from './summary.ts';

/** What the year is made of: assets, boxes of Form 8949, and income. Each leads to its lines. */
export function YearTables({ summary }: { readonly summary: YearSummary }) {
  const { year, assets, boxes, income } = summary;
  return (
    <>
      {assets.length > 0 && (
        <section class="card">
          <h2>By asset</h2>
          <LinkedTable
            head={['Asset', 'Lines', 'Proceeds', 'Cost basis', 'Gain']}
            rows={assets.map(({ asset, assetClass, count, proceeds, basis, gain }) => ({
              key: `${asset} ${assetClass}`,
              name: asset,
              href: to('/lines', { year, asset }),
              cells: [count, <Money amount={proceeds} />, <Money amount={basis} />, <Money amount={gain} signed />],
            }))}
            most={12}
          />
        </section>
      )}
      {boxes.length > 0 && (
        <section class="card">
          <h2>By box of Form 8949</h2>
          <LinkedTable
            head={['Box', 'Lines', 'Proceeds', 'Cost basis', 'Adjustment', 'Gain']}
            rows={boxes.map(({ box, count, proceeds, basis, adjustment, gain }) => ({
              key: box,
              name: `${box}: ${boxNames[box]}`,
              href: to('/lines', { year, box }),
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
          <p class="fine">Not capital gains: what the rows say was paid, for Schedules 1 and B.</p>
          <LinkedTable
            head={['Kind', 'Amount']}
            rows={income.map(({ type, amount, count }) => ({
              key: type,
              name: `${titled(type)}, ${counted(count, 'row')}`,
              href: to('/transactions', { year, type }),
              cells: [<Money amount={amount} />],
            }))}
          />
        </section>
      )}
    </>
  );
}
