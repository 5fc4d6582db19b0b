import type { AssetClass } from '../../../engine/model.ts';
import type { BooksSettings } from '../../api/settings.ts';
import { classNames } from '../../format/asset-classes.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { nothingStated, parseYesNo, toOptions, toYesNo, yesOrNo } from './names.ts';
import { SettingsForm } from './settings-form.tsx';

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
export function AssetForm({ asset, stated, accounts, otherNames, assets, onClose }: AssetFormProps) {
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
