import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count } from '../../format/amounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { Field } from '../../parts/field.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
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
            <Table
              label="Assets"
              rows={shown}
              keyOf={({ asset, assetClass }) => `${asset} ${assetClass}`}
              empty={<p>{data.length === 0 ? 'Assets appear when you import files.' : 'No matching assets.'}</p>}
              columns={[
                { head: 'Asset', cell: formatName },
                { head: 'Class', cell: formatClass },
                { head: 'Reason', cell: ({ why }) => whyNames[why] },
                { head: 'Accounts', cell: ({ accounts }) => accounts.join(', ') },
                { head: 'Transactions', kind: 'number', cell: ({ transactions }) => count(transactions) },
                {
                  head: 'Change',
                  kind: 'buttons',
                  cell: (row) => (
                    <button type="button" aria-label={`Change ${row.asset}`} onClick={() => setOpened(row)}>
                      Change
                    </button>
                  ),
                },
              ]}
            />
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

function formatName({ asset, name, otherNames }: AssetRow) {
  return (
    <>
      <a href={to('/transactions', { years: 'all', asset })}>{asset}</a>
      {name !== null && <div class="fine">{name}</div>}
      {otherNames.length > 0 && <div class="fine">also named {otherNames.join(', ')}</div>}
    </>
  );
}

function formatClass({ assetClass, section1256, collectible }: AssetRow) {
  return (
    <>
      {classNames[assetClass]}
      <div class="fine">
        {section1256 && 'Form 6781 '}
        {collectible === true && 'collectible, 28%'}
        {collectible === null && 'collectible? please choose'}
      </div>
    </>
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
