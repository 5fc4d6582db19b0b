import { t } from 'elysia';
import type { Sql } from '../../db/connection.ts';
import {
  type ClassReason,
  classifyAssets,
  classReasons,
  explainClass,
  isContract1256,
} from '../../engine/events/classes.ts';
import { isCollectible } from '../../engine/events/collectibles.ts';
import { listOtherNames } from '../../engine/events/same-assets.ts';
import { type AssetClass, assetClasses, type ClassRules } from '../../engine/model.ts';
import { unstatedMembers } from '../../engine/unstated-members.ts';
import { closed, day, nullable, oneOf } from '../../http/schemas.ts';
import { AssetSettings } from './settings/document.ts';
import { type AssetUse, selectAssetUses } from './transactions/transactions.queries.ts';

export const AssetItem = closed(
  {
    asset: t.String({ description: 'The name of the asset.' }),
    assetClass: oneOf(assetClasses),
    why: oneOf(
      classReasons,
      'The reason for the class: the taxpayer’s setting, the row, the symbol, the account’s setting, the source, the other side of a trade, the account’s other rows, a list of names, or the default. `unknown` means that the name belongs to both a coin and a security, or to neither. An issue then asks the taxpayer.',
    ),
    name: nullable(
      t.String({
        description: 'The name of the asset: the taxpayer’s own, the one in the newest file, or a common one.',
      }),
    ),
    collectible: nullable(
      t.Boolean({
        description: 'Whether a long-term gain is a collectibles gain. Null if the taxpayer has to decide.',
      }),
    ),
    section1256: t.Boolean({ description: 'Whether its gains are section 1256 gains (Form 6781).' }),
    accounts: t.Array(t.String()),
    transactions: t.Integer(),
    firstDate: day,
    lastDate: day,
    stated: nullable(AssetSettings),
    otherNames: t.Array(t.String(), {
      description:
        'Other names for the asset from `sameAs` settings. Rows with these names count as rows of the asset.',
    }),
  },
  { title: 'Asset' },
);

/** An asset in the books. A coin and a stock with the same name are two assets. */
export type Asset = Readonly<Omit<typeof AssetItem.static, 'name'>>;

/** Returns all assets in the rows, sorted by name and class. Excludes cash. */
export async function readAssets(sql: Sql, taxpayerId: string, rules: ClassRules): Promise<Asset[]> {
  const assets = new Map<string, Asset>();
  for (const use of await selectAssetUses(sql, taxpayerId)) {
    for (const one of buildAssets(use, rules)) {
      const key = `${one.asset}\u0000${one.assetClass}`;
      assets.set(key, mergeAssets(assets.get(key), one));
    }
  }
  return [...assets.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, asset]) => asset);
}

function buildAssets(use: AssetUse, rules: ClassRules): Asset[] {
  const { type, account, asset, source_class, stated_class, received_asset, fee_asset, underlying, asset_class } = use;
  const row = {
    ...unstatedMembers,
    type,
    account,
    asset,
    underlying,
    receivedAsset: received_asset,
    feeAsset: fee_asset,
  };
  const why = explainClass({ ...row, assetClass: stated_class }, rules, source_class);
  const classes = classifyAssets({ ...row, assetClass: asset_class });
  const ofPair = pairless.has(why) ? 'pair' : why;
  const uses: [string, AssetClass, ClassReason][] = [
    [asset, classes.asset, why],
    [received_asset, classes.received, ofPair],
    [fee_asset, classes.fee, ofPair],
  ];
  if ((type === 'exercise' || type === 'assign') && asset_class === 'option')
    uses.push([underlying, 'stock', 'symbol']);
  return uses
    .filter(([name]) => name !== '' && name !== 'USD')
    .map(([name, assetClass, reason]) => ({
      asset: name,
      assetClass,
      why: reason,
      collectible: isCollectible(name, assetClass, rules),
      section1256: isContract1256(assetClass),
      accounts: account === '' ? [] : [account],
      transactions: use.rows,
      firstDate: use.first,
      lastDate: use.last,
      stated: rules.assets?.[name] ?? null,
      otherNames: listOtherNames(name, rules.assets),
    }));
}

/** Reasons that apply only to a row's own asset, not to the other asset in the same row. */
const pairless: ReadonlySet<ClassReason> = new Set(['symbol', 'pair', 'other_assets', 'unknown', 'name', 'default']);

/** Returns the stronger reason. `unknown` comes first, because its rows need an answer from the taxpayer. */
function strongest(a: ClassReason, b: ClassReason): ClassReason {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  return classReasons.indexOf(a) <= classReasons.indexOf(b) ? a : b;
}

function mergeAssets(known: Asset | undefined, more: Asset): Asset {
  if (known === undefined) return more;
  return {
    ...known,
    why: strongest(known.why, more.why),
    accounts: [...new Set([...known.accounts, ...more.accounts])].sort(),
    transactions: known.transactions + more.transactions,
    firstDate: [known.firstDate, more.firstDate].sort()[0] ?? more.firstDate,
    lastDate: [known.lastDate, more.lastDate].sort()[1] ?? more.lastDate,
  };
}
