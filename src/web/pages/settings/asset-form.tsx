import { useState } from 'preact/hooks';
import type { AssetClass } from '../../../engine/model.ts';
import type { BooksSettings, SettingsPatch } from '../../api/settings.ts';
import { classNames } from '../../format/asset-classes.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { nothingStated, toOptions } from './names.ts';
import { FormChange } from './settings-change.tsx';

type StatedOfAsset = NonNullable<BooksSettings['assets']>[string];

/** Empty to use the class from the files. */
type ClassWord = '' | AssetClass;

interface AssetFields {
  /** Empty to use the name from the files. */
  readonly name: string;
  readonly assetClass: ClassWord;
  /** Classes by account, if they differ. */
  readonly classIn: Readonly<Record<string, ClassWord>>;
  readonly collectible: '' | 'yes' | 'no';
  readonly section1256: '' | 'yes' | 'no';
  readonly basisAtSale: '' | 'yes' | 'no';
  /** The security that this is another name for, or empty for none. */
  readonly sameAs: string;
  /** Other names to keep for this security. */
  readonly otherNames: readonly string[];
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

interface AssetFormProps {
  readonly asset: string;
  readonly stated: StatedOfAsset | null;
  readonly accounts: readonly string[];
  /** Other names in the settings. */
  readonly otherNames: readonly string[];
  /** All assets in the books, as suggestions. */
  readonly assets: readonly string[];
  readonly onClose: () => void;
}

/** The taxpayer's settings for one asset. */
export function AssetForm({ asset, stated, accounts, otherNames, assets, onClose }: AssetFormProps) {
  const before: AssetFields = {
    name: stated?.name ?? '',
    assetClass: stated?.assetClass ?? '',
    classIn: stated?.accounts ?? {},
    collectible: toYesNo(stated?.collectible),
    section1256: toYesNo(stated?.section1256),
    basisAtSale: toYesNo(stated?.basisAtSale),
    sameAs: stated?.sameAs ?? '',
    otherNames,
  };
  const [fields, setFields] = useState<AssetFields>(before);
  const put = (change: Partial<AssetFields>) => setFields({ ...fields, ...change });
  const isSame = JSON.stringify(fields) === JSON.stringify(before);
  return (
    <Dialog title={asset} onClose={onClose}>
      <div class="fields">
        <Field
          label="Your name for it"
          value={fields.name}
          onInput={(name) => put({ name })}
          hint="Shown in lists. Leave blank to use the name in your files."
        />
        <Choice
          label="Asset class"
          value={fields.assetClass}
          options={[{ value: '', label: 'From your files' }, ...toOptions(classNames)]}
          onChange={(assetClass) => put({ assetClass })}
          hint="Crypto has wallets and no wash sales. Funds can use average cost."
        />
      </div>
      <ClassesByAccount
        accounts={accounts}
        classIn={fields.classIn}
        onChange={(account, word) => put({ classIn: { ...fields.classIn, [account]: word } })}
      />
      <div class="fields">
        <Choice
          label="Collectible"
          value={fields.collectible}
          options={[{ value: '', label: 'Detect automatically' }, ...yesOrNo]}
          onChange={(collectible) => put({ collectible })}
          hint="Metals, art and metal funds: long-term gains are taxed at up to 28%."
        />
        <Choice
          label="Options on it are section 1256 contracts"
          value={fields.section1256}
          options={[{ value: '', label: 'Detect automatically' }, ...yesOrNo]}
          onChange={(section1256) => put({ section1256 })}
          hint="Options on a broad-based index: 60% long-term, on Form 6781."
        />
        <Choice
          label="Opportunity fund with fair market value basis after ten years"
          value={fields.basisAtSale}
          options={[{ value: '', label: 'Ask when sold' }, ...yesOrNo]}
          onChange={(basisAtSale) => put({ basisAtSale })}
          hint="Your election: gains after ten years or more in the fund are not taxed (IRC 1400Z-2(c))."
        />
      </div>
      <SameSecurity
        asset={asset}
        {...{ otherNames, assets }}
        sameAs={fields.sameAs}
        kept={fields.otherNames}
        onChange={put}
      />
      <FormChange
        isSame={isSame}
        patch={buildAssetPatch(asset, fields, otherNames)}
        said={`${asset} saved.`}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface SameSecurityProps {
  readonly asset: string;
  readonly otherNames: readonly string[];
  readonly assets: readonly string[];
  readonly sameAs: string;
  readonly kept: readonly string[];
  readonly onChange: (change: Pick<Partial<AssetFields>, 'sameAs' | 'otherNames'>) => void;
}

/** Two names for one security, such as an ISIN at one broker and a ticker at another. */
function SameSecurity({ asset, otherNames, assets, sameAs, kept, onChange }: SameSecurityProps) {
  if (otherNames.length === 0)
    return (
      <div class="fields">
        <Field
          label="Another name for"
          value={sameAs}
          suggestions={[...new Set(assets)].filter((name) => name !== asset)}
          onInput={(name) => onChange({ sameAs: name })}
          hint={`Use this if brokers have two names for one security, like US0378331005 and AAPL. All ${asset} rows then count as the other one. Share classes, like GOOG and GOOGL, are separate securities.`}
        />
      </div>
    );
  return (
    <fieldset>
      <legend>Rows with these names count as {asset}</legend>
      {otherNames.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={kept.includes(name)}
            onChange={({ currentTarget }) =>
              onChange({
                otherNames: otherNames.filter((one) => (one === name ? currentTarget.checked : kept.includes(one))),
              })
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

interface ClassesByAccountProps {
  readonly accounts: readonly string[];
  readonly classIn: AssetFields['classIn'];
  readonly onChange: (account: string, word: ClassWord) => void;
}

/** The asset's class by account because a coin and a security can share a name. */
function ClassesByAccount({ accounts, classIn, onChange }: ClassesByAccountProps) {
  const isStated = accounts.some((account) => (classIn[account] ?? '') !== '');
  const [isOpen, setOpen] = useState(isStated);
  if (accounts.length < 2 && !isStated) return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Different class in one account</summary>
      <p class="fine">A coin and a security can share a name. A class set here applies only to that account.</p>
      <div class="fields">
        {accounts.map((account) => (
          <Choice
            key={account}
            label={`In ${account}`}
            value={classIn[account] ?? ''}
            options={[{ value: '', label: 'Default' }, ...toOptions(classNames)]}
            onChange={(word) => onChange(account, word)}
          />
        ))}
      </div>
    </details>
  );
}

function toYesNo(stated: boolean | undefined): '' | 'yes' | 'no' {
  return stated === undefined ? '' : stated ? 'yes' : 'no';
}

function parseYesNo(word: '' | 'yes' | 'no'): boolean | null {
  return word === '' ? null : word === 'yes';
}

function buildAssetPatch(
  asset: string,
  { name, assetClass, classIn, collectible, section1256, basisAtSale, sameAs, otherNames }: AssetFields,
  namesBefore: readonly string[],
): SettingsPatch {
  // Settings of a security are saved under its main name.
  if (sameAs.trim() !== '') return { assets: { [asset]: { ...nothingStated, sameAs: sameAs.trim() } } };
  const stated = {
    name: name.trim().slice(0, 120) || null,
    assetClass: assetClass || null,
    accounts: Object.fromEntries(Object.entries(classIn).map(([account, word]) => [account, word || null])),
    collectible: parseYesNo(collectible),
    section1256: parseYesNo(section1256),
    basisAtSale: parseYesNo(basisAtSale),
    sameAs: null,
  };
  const separated = namesBefore.filter((name) => !otherNames.includes(name));
  return { assets: { [asset]: stated, ...Object.fromEntries(separated.map((name) => [name, { sameAs: null }])) } };
}
