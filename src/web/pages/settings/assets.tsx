import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { AssetClass } from '../../../engine/model.ts';
import type { api, ItemOf } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import type { BooksSettings } from '../../api/settings.ts';
import { useAssets } from '../../api/status.ts';
import { count } from '../../format/amounts.ts';
import { classNames } from '../../format/methods.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { toOptions } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filters.tsx';
import { Card, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { nothingStated, parseYesNo, toYesNo, yesOrNo } from './names.ts';
import { SettingsForm } from './settings-form.tsx';

type AssetRow = ItemOf<typeof api.tax.assets.get>;

/** Each asset with its class and the reason for it. */
export function Assets() {
  const { query } = useLocation();
  const [opened, setOpened] = useState<AssetRow | null>(null);
  const searchText = (query.q ?? '').toLowerCase();
  const isWanted = ({ asset, name, otherNames }: AssetRow) =>
    [asset, name ?? '', ...otherNames].join(' ').toLowerCase().includes(searchText);
  return (
    <ResourceView reading={useAssets()}>
      {({ data, hasMore }) => {
        const shown = data.filter(isWanted).slice(0, rowsMax);
        return (
          <Card title="Assets">
            <div class="filters">
              <FilterField name="q" label="Find" type="search" />
            </div>
            <Table
              label="Assets"
              rows={shown}
              keyOf={({ asset, assetClass }) => `${asset} ${assetClass}`}
              empty={<p>{data.length === 0 ? 'Assets appear when you import files.' : 'No matching assets.'}</p>}
              columns={[
                { head: 'Asset', cell: formatName },
                {
                  head: 'Class',
                  cell: ({ assetClass }) => classNames[assetClass],
                  note: ({ section1256, collectible }) =>
                    [section1256 && 'Form 6781', collectibleTexts[String(collectible)]].filter(Boolean).join(' '),
                },
                { head: 'Reason', cell: ({ why }) => whyNames[why] },
                { head: 'Accounts', cell: ({ accounts }) => accounts.join(', ') },
                { head: 'Transactions', kind: 'number', cell: ({ transactions }) => count(transactions) },
                {
                  head: 'Change',
                  kind: 'buttons',
                  cell: (row) => (
                    <Button label="Change" aria-label={`Change ${row.asset}`} onClick={() => setOpened(row)} />
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
          </Card>
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

const collectibleTexts: Readonly<Record<string, string>> = {
  true: 'collectible, 28%',
  null: 'collectible? please choose',
};

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

interface AssetFormProps {
  readonly asset: string;
  readonly stated: NonNullable<BooksSettings['assets']>[string] | null;
  readonly accounts: readonly string[];
  /** Other names in the settings. */
  readonly otherNames: readonly string[];
  /** All assets in the books, as suggestions. */
  readonly assets: readonly string[];
  readonly onClose: () => void;
}

const detected = [{ value: '', label: 'Detect automatically' }, ...yesOrNo] as const;

/** The taxpayer's settings for one asset. */
function AssetForm({ asset, stated, accounts, otherNames, assets, onClose }: AssetFormProps) {
  const classIn: Readonly<Record<string, AssetClass>> = stated?.accounts ?? {};
  const isClassInAccount = accounts.length > 1 || Object.keys(classIn).length > 0;
  const ofAccounts = accounts.map((account) => [
    `in ${account}`,
    {
      label: `In ${account}`,
      group: 'Different class in one account',
      isHidden: !isClassInAccount,
      value: classIn[account] ?? '',
      options: [{ value: '', label: 'Default' }, ...toOptions(classNames)],
      hint: 'A coin and a security can share a name. This class applies only to this account.',
    },
  ]);
  return (
    <Dialog title={asset} onClose={onClose}>
      <SettingsForm
        fields={{
          name: {
            label: 'Your name for it',
            value: stated?.name ?? '',
            hint: 'Shown in lists. Leave blank to use the name in your files.',
          },
          assetClass: {
            label: 'Asset class',
            value: stated?.assetClass ?? '',
            options: [{ value: '', label: 'From your files' }, ...toOptions(classNames)],
            hint: 'Crypto has wallets and no wash sales. Funds can use average cost.',
          },
          collectible: {
            label: 'Collectible',
            value: toYesNo(stated?.collectible),
            options: detected,
            hint: 'Metals, art and metal funds: long-term gains are taxed at up to 28%.',
          },
          section1256: {
            label: 'Options on it are section 1256 contracts',
            value: toYesNo(stated?.section1256),
            options: detected,
            hint: 'Options on a broad-based index: 60% long-term, on Form 6781.',
          },
          basisAtSale: {
            label: 'Opportunity fund with fair market value basis after ten years',
            value: toYesNo(stated?.basisAtSale),
            options: [{ value: '', label: 'Ask when sold' }, ...yesOrNo],
            hint: 'Your election: gains after ten years or more in the fund are not taxed (IRC 1400Z-2(c)).',
          },
          // Two names for one security, such as an ISIN at one broker and a ticker at another.
          sameAs: {
            label: 'Another name for',
            value: stated?.sameAs ?? '',
            isHidden: otherNames.length > 0,
            suggestions: [...new Set(assets)].filter((name) => name !== asset),
            hint: `Use this if brokers have two names for one security, like US0378331005 and AAPL. All ${asset} rows then count as the other one. Share classes, like GOOG and GOOGL, are separate securities.`,
          },
          kept: {
            label: `Rows with these names count as ${asset}`,
            type: 'checks',
            value: otherNames,
            isHidden: otherNames.length === 0,
            options: otherNames.map((name) => ({ value: name, label: name })),
          },
          ...(Object.fromEntries(ofAccounts) as object),
        }}
        patch={(values) => {
          const classes = values as Readonly<Record<string, unknown>>;
          const { name, assetClass, collectible, section1256, basisAtSale, sameAs, kept } = values;
          // Settings of a security are saved under its main name.
          if (sameAs.trim() !== '') return { assets: { [asset]: { ...nothingStated, sameAs: sameAs.trim() } } };
          const separated = otherNames.filter((other) => !kept.includes(other));
          return {
            assets: {
              [asset]: {
                name: name.trim().slice(0, 120) || null,
                assetClass: assetClass || null,
                accounts: Object.fromEntries(
                  accounts.map((account) => [account, (classes[`in ${account}`] || null) as AssetClass | null]),
                ),
                collectible: parseYesNo(collectible),
                section1256: parseYesNo(section1256),
                basisAtSale: parseYesNo(basisAtSale),
                sameAs: null,
              },
              ...Object.fromEntries(separated.map((other) => [other, { sameAs: null }])),
            },
          };
        }}
        said={`${asset} saved.`}
        onClose={onClose}
      />
    </Dialog>
  );
}
