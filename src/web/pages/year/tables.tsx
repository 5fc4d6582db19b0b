import { useState } from 'preact/hooks';
import { boxNames } from '../../../engine/statement-values.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count, isNegative, isZero, scaled } from '../../format/amounts.ts';
import { typeName } from '../../format/words.ts';
import { Button } from '../../parts/button.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Card } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';
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
        <Card title="By asset">
          <Table
            label="By asset"
            rows={assets}
            keyOf={keyOfAsset}
            hrefOf={({ asset }) => to('/forms/8949', { year, asset })}
            columns={[assetColumn, entries, proceeds, basis, gain]}
            most={12}
          />
        </Card>
      )}
      {boxes.length > 0 && (
        <section class="card">
          <h2>
            By <HelpTerm entry="form-8949-boxes">Form 8949 box</HelpTerm>
          </h2>
          <Table
            label="By box"
            rows={boxes}
            keyOf={({ box }) => box}
            hrefOf={({ box }) => to('/forms/8949', { year, box })}
            columns={[
              { head: 'Box', cell: ({ box }) => `Box ${box}: ${boxNames[box]}` },
              ...[entries, proceeds, basis],
              { head: 'Adjustment', kind: 'gain', isSpare: true, cell: ({ adjustment }) => adjustment },
              gain,
            ]}
          />
        </section>
      )}
      {received.length > 0 && (
        <Card title="Income">
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
        </Card>
      )}
      {withheld.length > 0 && (
        <Card title="Tax withheld">
          <p class="fine">Already paid, not income. It counts toward your tax as a payment or a credit.</p>
          <IncomeTable year={year} income={withheld} />
        </Card>
      )}
    </>
  );
}

type AssetFigures = Pick<AssetTotals, 'count' | 'proceeds' | 'basis' | 'gain'>;

const assetColumn: ColumnSpec<AssetTotals> = {
  head: 'Asset',
  cell: ({ asset, assetName }) => (
    <>
      {asset} {assetName !== undefined && <span class="fine">{assetName}</span>}
    </>
  ),
};
const entries: ColumnSpec<Pick<AssetFigures, 'count'>> = {
  head: 'Entries',
  kind: 'number',
  cell: (row) => count(row.count),
};
const proceeds: ColumnSpec<AssetFigures> = {
  head: 'Proceeds',
  kind: 'gain',
  isSpare: true,
  cell: (row) => row.proceeds,
};
const basis: ColumnSpec<AssetFigures> = { head: 'Cost basis', kind: 'gain', isSpare: true, cell: (row) => row.basis };
const gain: ColumnSpec<Pick<AssetFigures, 'gain'>> = { head: 'Gain', kind: 'gain', cell: (row) => row.gain };

const keyOfAsset = ({ asset, assetClass }: AssetTotals): string => `${asset} ${assetClass}`;

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
        <Card key={title} title={title}>
          <Table
            label={title}
            rows={own.slice(0, 5)}
            keyOf={keyOfAsset}
            hrefOf={({ asset }) => to('/forms/8949', { year, asset })}
            columns={[assetColumn, gain]}
          />
        </Card>
      ))}
    </div>
  );
}

/** Reads every entry of the year, so a large year waits for a click. */
function ByAccount({ year, lines }: { readonly year: number; readonly lines: number }) {
  const [isShown, setShown] = useState(lines <= 20_000);
  const gains = useResource(isShown ? `gains by account ${year}` : null, () =>
    unwrapResponse(api.tax.gains.get({ query: { by: 'account', year, limit: 1000 } })),
  );
  return (
    <Card title="By account">
      {isShown ? (
        <ResourceView reading={gains}>
          {({ data }) => (
            <Table
              label="By account"
              rows={data.filter(({ total }) => total.count > 0)}
              keyOf={({ key }) => key}
              hrefOf={({ key }) => to('/forms/8949', { year, account: key })}
              columns={[
                { head: 'Account', cell: ({ key }) => key },
                { head: 'Entries', kind: 'number', cell: ({ total }) => count(total.count) },
                { head: 'Short-term', kind: 'gain', isSpare: true, cell: ({ shortTerm }) => shortTerm.gain },
                { head: 'Long-term', kind: 'gain', isSpare: true, cell: ({ longTerm }) => longTerm.gain },
                { head: 'Gain', kind: 'gain', cell: ({ total }) => total.gain },
              ]}
              most={12}
            />
          )}
        </ResourceView>
      ) : (
        <Button label="Show accounts" onClick={() => setShown(true)} />
      )}
    </Card>
  );
}

function IncomeTable({ year, income }: { readonly year: number; readonly income: YearSummary['income'] }) {
  return (
    <Table
      label="By type"
      rows={income}
      keyOf={({ type }) => type}
      hrefOf={({ type }) => to('/transactions', { year, type })}
      columns={[
        { head: 'Type', cell: ({ type, count: rows }) => `${typeName(type)} (${count(rows)})` },
        { head: 'Amount', kind: 'gain', cell: ({ amount }) => amount },
      ]}
    />
  );
}
