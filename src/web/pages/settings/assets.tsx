import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { AssetClass } from '../../../engine/model.ts';
import { to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';
import type { SettingsPatchGiven } from '../../api/settings.ts';
import { count } from '../../format/amounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { optionsOf } from './names.ts';
import { FormChange } from './settings-change.tsx';

type AssetRow = Awaited<ReturnType<typeof readAssets>>['data'][number];

function readAssets() {
  return got(api.tax.assets.get({ query: { limit: 1000 } }));
}

/** What each asset is, why, and the taxpayer's own word. */
export function Assets() {
  const { query, route } = useLocation();
  const [opened, setOpened] = useState<AssetRow | null>(null);
  const wanted = (query.q ?? '').toLowerCase();
  const isWanted = ({ asset, name }: AssetRow) => `${asset} ${name ?? ''}`.toLowerCase().includes(wanted);
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
              <p>{data.length === 0 ? 'Assets come with your files.' : 'No asset has this in its name.'}</p>
            ) : (
              <AssetsTable assets={shown} onOpen={setOpened} />
            )}
            {(hasMore || shown.length === rowsMax) && <p class="fine">There are more. Type a name above.</p>}
            {opened !== null && <AssetForm key={opened.asset} asset={opened} onClose={() => setOpened(null)} />}
          </section>
        );
      }}
    </ResourceView>
  );
}

/** Rows on the page at once; the rest is found by name. */
const rowsMax = 200;

interface AssetsTableProps {
  readonly assets: readonly AssetRow[];
  readonly onOpen: (asset: AssetRow) => void;
}

function AssetsTable({ assets, onOpen }: AssetsTableProps) {
  return (
    <Scroll label="Assets">
      <table>
        <TableHead
          columns={['Asset', 'It is', 'Because', 'Accounts', { number: 'Transactions' }, { unseen: 'Change' }]}
        />
        <tbody>
          {assets.map((row) => (
            <tr key={`${row.asset} ${row.assetClass}`}>
              <th scope="row">
                <a href={to('/transactions', { asset: row.asset })}>{row.asset}</a>
                {row.name !== null && <div class="fine">{row.name}</div>}
              </th>
              <td>
                {classNames[row.assetClass]}
                <div class="fine">
                  {row.section1256 && 'Form 6781 '}
                  {row.collectible === true && 'collectible, 28 %'}
                  {row.collectible === null && 'collectible or not: please say'}
                </div>
              </td>
              <td>{whyNames[row.why]}</td>
              <td>{row.accounts.join(', ')}</td>
              <td class="number">{count(row.transactions)}</td>
              <td class="number">
                <button type="button" aria-label={`Change ${row.asset}`} onClick={() => onOpen(row)}>
                  Change
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const whyNames: Readonly<Record<AssetRow['why'], string>> = {
  taxpayer: 'you said so',
  row: 'its rows say so',
  symbol: 'its symbol says so',
  account: 'of the setting of the account',
  source: 'of where the file comes from',
  pair: 'of what it was traded for',
  other_assets: 'of what else the account holds',
  unknown: 'not known: please say',
  name: 'a coin has this name',
  default: 'nothing says otherwise',
};

interface AssetFields {
  readonly assetClass: '' | AssetClass;
  readonly collectible: '' | 'yes' | 'no';
  readonly section1256: '' | 'yes' | 'no';
  readonly basisAtSale: '' | 'yes' | 'no';
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

function AssetForm({ asset: row, onClose }: { readonly asset: AssetRow; readonly onClose: () => void }) {
  const before: AssetFields = {
    assetClass: row.stated?.assetClass ?? '',
    collectible: wordOf(row.stated?.collectible),
    section1256: wordOf(row.stated?.section1256),
    basisAtSale: wordOf(row.stated?.basisAtSale),
  };
  const [fields, setFields] = useState<AssetFields>(before);
  const put = (change: Partial<AssetFields>) => setFields({ ...fields, ...change });
  const isSame = JSON.stringify(fields) === JSON.stringify(before);
  return (
    <Dialog title={row.asset} onClose={onClose}>
      <div class="fields">
        <Choice
          label="It is"
          value={fields.assetClass}
          options={[{ value: '', label: 'As the files say' }, ...optionsOf(classNames)]}
          onChange={(assetClass) => put({ assetClass })}
          hint="Coins have wallets and no wash sales; funds may use average cost."
        />
        <Choice
          label="A collectible"
          value={fields.collectible}
          options={[{ value: '', label: 'As we know it' }, ...yesOrNo]}
          onChange={(collectible) => put({ collectible })}
          hint="Metals, art and funds that hold metal: a long-term gain is taxed at up to 28 %."
        />
        <Choice
          label="Its options are section 1256 contracts"
          value={fields.section1256}
          options={[{ value: '', label: 'As we know it' }, ...yesOrNo]}
          onChange={(section1256) => put({ section1256 })}
          hint="Options on a broad-based index: 60 % long-term, on Form 6781."
        />
        <Choice
          label="An opportunity fund, with its value as basis after ten years"
          value={fields.basisAtSale}
          options={[{ value: '', label: 'Ask when it is sold' }, ...yesOrNo]}
          onChange={(basisAtSale) => put({ basisAtSale })}
          hint="Your election: what the fund gained in ten years and more is not taxed (IRC 1400Z-2(c))."
        />
      </div>
      <FormChange
        isSame={isSame}
        patch={patchOf(row.asset, fields)}
        said={`${row.asset} is saved.`}
        onClose={onClose}
      />
    </Dialog>
  );
}

function wordOf(stated: boolean | undefined): '' | 'yes' | 'no' {
  return stated === undefined ? '' : stated ? 'yes' : 'no';
}

function saidOf(word: '' | 'yes' | 'no'): boolean | null {
  return word === '' ? null : word === 'yes';
}

function patchOf(
  asset: string,
  { assetClass, collectible, section1256, basisAtSale }: AssetFields,
): SettingsPatchGiven {
  const stated = {
    assetClass: assetClass || null,
    collectible: saidOf(collectible),
    section1256: saidOf(section1256),
    basisAtSale: saidOf(basisAtSale),
  };
  return { assets: { [asset]: stated } };
}
