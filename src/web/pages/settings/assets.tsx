import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count } from '../../format/amounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { Field } from '../../parts/field.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { AssetForm } from './asset-form.tsx';

type AssetRow = Awaited<ReturnType<typeof readAssets>>['data'][number];

function readAssets() {
  return unwrapResponse(api.tax.assets.get({ query: { limit: 1000 } }));
}

/** Each asset with its class and the reason for it. */
export function Assets() {
  const { query, route } = useLocation();
  const [opened, setOpened] = useState<AssetRow | null>(null);
  const searchText = (query.q ?? '').toLowerCase();
  const isWanted = ({ asset, name, otherNames }: AssetRow) =>
    [asset, name ?? '', ...otherNames].join(' ').toLowerCase().includes(searchText);
  return (
    <ResourceView reading={useResource('assets', readAssets)}>
      {({ data, hasMore }) => {
        const shown = data.filter(isWanted).slice(0, rowsMax);
        return (
          <section class="card">
            <h2>Assets</h2>
            <div class="filters">
              <Field
                label="Find"
                type="search"
                value={query.q ?? ''}
                onInput={(q) => route(to('/settings/assets', { q }), true)}
              />
            </div>
            {shown.length === 0 ? (
              <p>{data.length === 0 ? 'Assets appear when you import files.' : 'No matching assets.'}</p>
            ) : (
              <AssetsTable assets={shown} onOpen={setOpened} />
            )}
            {(hasMore || shown.length === rowsMax) && <p class="fine">There are more. Search by name above.</p>}
            {opened !== null && (
              <AssetForm
                key={opened.asset}
                asset={opened.asset}
                stated={opened.stated}
                otherNames={opened.otherNames}
                assets={data.map((row) => row.asset)}
                accounts={listAssetAccounts(opened, data)}
                onClose={() => setOpened(null)}
              />
            )}
          </section>
        );
      }}
    </ResourceView>
  );
}

/** Accounts that hold an asset with that name in any class, and accounts with a setting for it. */
function listAssetAccounts({ asset, stated }: AssetRow, assets: readonly AssetRow[]): readonly string[] {
  const held = assets.filter((row) => row.asset === asset).flatMap(({ accounts }) => accounts);
  return [...new Set([...held, ...Object.keys(stated?.accounts ?? {})])].sort();
}

/** Number of rows shown at once. Search finds the remaining ones. */
const rowsMax = 200;

interface AssetsTableProps {
  readonly assets: readonly AssetRow[];
  readonly onOpen: (asset: AssetRow) => void;
}

function AssetsTable({ assets, onOpen }: AssetsTableProps) {
  return (
    <StackedTable
      label="Assets"
      columns={['Asset', 'Class', 'Reason', 'Accounts', { number: 'Transactions' }, { unseen: 'Change' }]}
      rows={assets.map((row) => ({
        key: `${row.asset} ${row.assetClass}`,
        name: (
          <>
            <a href={to('/transactions', { years: 'all', asset: row.asset })}>{row.asset}</a>
            {row.name !== null && <div class="fine">{row.name}</div>}
            {row.otherNames.length > 0 && <div class="fine">also named {row.otherNames.join(', ')}</div>}
          </>
        ),
        cells: [
          <>
            {classNames[row.assetClass]}
            <div class="fine">
              {row.section1256 && 'Form 6781 '}
              {row.collectible === true && 'collectible, 28%'}
              {row.collectible === null && 'collectible? please choose'}
            </div>
          </>,
          whyNames[row.why],
          row.accounts.join(', '),
          count(row.transactions),
          <button type="button" aria-label={`Change ${row.asset}`} onClick={() => onOpen(row)}>
            Change
          </button>,
        ],
      }))}
    />
  );
}

const whyNames: Readonly<Record<AssetRow['why'], string>> = {
  taxpayer: 'set by you',
  row: 'from your file',
  symbol: 'from the symbol',
  account: 'from the account settings',
  source: 'from the broker',
  pair: 'from its trading pair',
  other_assets: "from the account's other assets",
  unknown: 'unknown, please choose',
  name: 'known crypto symbol',
  default: 'default',
};
