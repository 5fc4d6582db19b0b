import { useState } from 'preact/hooks';
import type { AssetClass } from '../../../engine/model.ts';
import type { BooksSettings, SettingsPatchGiven } from '../../api/settings.ts';
import { classNames } from '../../format/asset-classes.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice } from '../../parts/field.tsx';
import { optionsOf } from './names.ts';
import { FormChange } from './settings-change.tsx';

type StatedOfAsset = NonNullable<BooksSettings['assets']>[string];

/** Empty: what the files say. */
type ClassWord = '' | AssetClass;

interface AssetFields {
  readonly assetClass: ClassWord;
  /** By account, where it is another one there. */
  readonly classIn: Readonly<Record<string, ClassWord>>;
  readonly collectible: '' | 'yes' | 'no';
  readonly section1256: '' | 'yes' | 'no';
  readonly basisAtSale: '' | 'yes' | 'no';
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

interface AssetFormProps {
  readonly asset: string;
  readonly stated: StatedOfAsset | null;
  readonly accounts: readonly string[];
  readonly onClose: () => void;
}

/** What the taxpayer says of an asset. */
export function AssetForm({ asset, stated, accounts, onClose }: AssetFormProps) {
  const before: AssetFields = {
    assetClass: stated?.assetClass ?? '',
    classIn: stated?.accounts ?? {},
    collectible: wordOf(stated?.collectible),
    section1256: wordOf(stated?.section1256),
    basisAtSale: wordOf(stated?.basisAtSale),
  };
  const [fields, setFields] = useState<AssetFields>(before);
  const put = (change: Partial<AssetFields>) => setFields({ ...fields, ...change });
  const isSame = JSON.stringify(fields) === JSON.stringify(before);
  return (
    <Dialog title={asset} onClose={onClose}>
      <div class="fields">
        <Choice
          label="It is"
          value={fields.assetClass}
          options={[{ value: '', label: 'As the files say' }, ...optionsOf(classNames)]}
          onChange={(assetClass) => put({ assetClass })}
          hint="Coins have wallets and no wash sales; funds may use average cost."
        />
      </div>
      <ClassesByAccount
        accounts={accounts}
        classIn={fields.classIn}
        onChange={(account, word) => put({ classIn: { ...fields.classIn, [account]: word } })}
      />
      <div class="fields">
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
      <FormChange isSame={isSame} patch={patchOf(asset, fields)} said={`${asset} is saved.`} onClose={onClose} />
    </Dialog>
  );
}

interface ClassesByAccountProps {
  readonly accounts: readonly string[];
  readonly classIn: AssetFields['classIn'];
  readonly onChange: (account: string, word: ClassWord) => void;
}

/** Its class in single accounts: a coin and a security may have one name. */
function ClassesByAccount({ accounts, classIn, onChange }: ClassesByAccountProps) {
  const isStated = accounts.some((account) => (classIn[account] ?? '') !== '');
  const [isOpen, setOpen] = useState(isStated);
  if (accounts.length < 2 && !isStated) return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Something else in one account</summary>
      <p class="fine">A coin and a security may have one name. What you say of an account counts there alone.</p>
      <div class="fields">
        {accounts.map((account) => (
          <Choice
            key={account}
            label={`In ${account}`}
            value={classIn[account] ?? ''}
            options={[{ value: '', label: 'As above' }, ...optionsOf(classNames)]}
            onChange={(word) => onChange(account, word)}
          />
        ))}
      </div>
    </details>
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
  { assetClass, classIn, collectible, section1256, basisAtSale }: AssetFields,
): SettingsPatchGiven {
  const stated = {
    assetClass: assetClass || null,
    accounts: Object.fromEntries(Object.entries(classIn).map(([account, word]) => [account, word || null])),
    collectible: saidOf(collectible),
    section1256: saidOf(section1256),
    basisAtSale: saidOf(basisAtSale),
  };
  return { assets: { [asset]: stated } };
}
