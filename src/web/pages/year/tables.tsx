import { useState } from 'preact/hooks';
import { boxNames } from '../../../engine/statement-values.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count, isNegative, isZero, scaled } from '../../format/amounts.ts';
import { typeName } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { LinkedTable } from '../../parts/tables/linked-table.tsx';
import type { YearSummary } from './summary.ts';

type AssetTotals = YearSummary['assets'][number];

/** The year by account, asset, Form 8949 box and income type. Each row links to its entries. */
export function YearTables({ summary }: { readonly summary: YearSummary }) {
  const { year, assets, boxes, income } = summary;
  const received = income.filter(({ type }) => rowOf(type).isWithheld !== true);
  const withheld = income.filter(({ type }) => rowOf(type).isWithheld === true);
  return (
    <>
      {assets.length > 0 && <ByAccount year={year} lines={summary.total.count} />}
      {assets.length > 0 && (
        <section class="card">
          <h2>By asset</h2>
          <LinkedTable
            head={['Asset', 'Entries', 'Proceeds', 'Cost basis', 'Gain']}
            rows={assets.map((each) => ({
              key: `${each.asset} ${each.assetClass}`,
              name: <AssetName of={each} />,
              href: to('/forms/8949', { year, asset: each.asset }),
              cells: toCells(each.count, each.proceeds, each.basis, each.gain),
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
            rows={boxes.map(({ box, count: lines, proceeds, basis, adjustment, gain }) => ({
              key: box,
              name: `Box ${box}: ${boxNames[box]}`,
              href: to('/forms/8949', { year, box }),
              cells: toCells(lines, proceeds, basis, adjustment, gain),
            }))}
          />
        </section>
      )}
      {received.length > 0 && (
        <section class="card">
          <h2>Income</h2>
          <p class="fine">
            Not capital gains. Reported on Schedules 1 and B. <HelpTerm entry="income-in-kind">Learn more</HelpTerm>
          </p>
          <IncomeTable year={year} income={received} />
          {received.some(({ type, amount }) => type === 'interest' && isNegative(amount)) && (
            <p class="fine">
              Interest is negative because you paid more <HelpTerm entry="accrued-interest">accrued interest</HelpTerm>{' '}
              than you received.
            </p>
          )}
        </section>
      )}
      {withheld.length > 0 && (
        <section class="card">
          <h2>Tax withheld</h2>
          <p class="fine">Already paid, not income. It counts toward your tax as a payment or a credit.</p>
          <IncomeTable year={year} income={withheld} />
        </section>
      )}
    </>
  );
}

function toCells(lines: number, ...amounts: readonly string[]) {
  return [count(lines), ...amounts.map((amount) => <Money amount={amount} signed />)];
}

/** The symbol and the name of an asset. */
function AssetName({ of: { asset, assetName } }: { readonly of: AssetTotals }) {
  return (
    <>
      {asset} {assetName !== undefined && <span class="fine">{assetName}</span>}
    </>
  );
}

interface TopAssetsProps {
  readonly summary: YearSummary;
  /** Whether they are beside the figures. */
  readonly isAside?: boolean;
}

/** The assets with the largest gains and losses. */
export function TopAssets({ summary: { year, assets }, isAside = false }: TopAssetsProps) {
  const ranked = assets.filter(({ gain }) => !isZero(gain)).sort((a, b) => (scaled(a.gain) > scaled(b.gain) ? -1 : 1));
  const tops = [
    { title: 'Top gains', own: ranked.filter(({ gain }) => !isNegative(gain)) },
    { title: 'Top losses', own: ranked.filter(({ gain }) => isNegative(gain)).reverse() },
  ].filter(({ own }) => own.length > 0);
  if (assets.length < 2 || tops.length === 0) return null;
  return (
    <div class={isAside ? 'cards top-assets aside' : 'cards top-assets'}>
      {tops.map(({ title, own }) => (
        <section key={title} class="card">
          <h2>{title}</h2>
          <LinkedTable
            head={['Asset', 'Gain']}
            rows={own.slice(0, 5).map((each) => ({
              key: `${each.asset} ${each.assetClass}`,
              name: <AssetName of={each} />,
              href: to('/forms/8949', { year, asset: each.asset }),
              cells: [<Money amount={each.gain} signed />],
            }))}
          />
        </section>
      ))}
    </div>
  );
}

interface ByAccountProps {
  readonly year: number;
  readonly lines: number;
}

/** Reads every entry of the year, so a large year waits for a click. */
function ByAccount({ year, lines }: ByAccountProps) {
  const [isShown, setShown] = useState(lines <= 20_000);
  const gains = useResource(isShown ? `gains by account ${year}` : null, () =>
    unwrapResponse(api.tax.gains.get({ query: { by: 'account', year, limit: 1000 } })),
  );
  return (
    <section class="card">
      <h2>By account</h2>
      {isShown ? (
        <ResourceView reading={gains}>
          {({ data }) => (
            <LinkedTable
              head={['Account', 'Entries', 'Short-term', 'Long-term', 'Gain']}
              rows={data
                .filter(({ total }) => total.count > 0)
                .map(({ key, total, shortTerm, longTerm }) => ({
                  key,
                  name: key,
                  href: to('/forms/8949', { year, account: key }),
                  cells: toCells(total.count, shortTerm.gain, longTerm.gain, total.gain),
                }))}
              most={12}
            />
          )}
        </ResourceView>
      ) : (
        <button type="button" onClick={() => setShown(true)}>
          Show accounts
        </button>
      )}
    </section>
  );
}

interface IncomeTableProps {
  readonly year: number;
  readonly income: YearSummary['income'];
}

function IncomeTable({ year, income }: IncomeTableProps) {
  return (
    <LinkedTable
      head={['Type', 'Amount']}
      rows={income.map(({ type, amount, count: rows }) => ({
        key: type,
        name: `${typeName(type)} (${count(rows)})`,
        href: to('/transactions', { year, type }),
        cells: [<Money amount={amount} signed />],
      }))}
    />
  );
}
