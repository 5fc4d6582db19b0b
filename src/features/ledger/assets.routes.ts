import { Elysia, t } from 'elysia';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
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
import { limitDefault, type Page, page, readCursor } from '../../http/list.ts';
import { group, read, write } from '../../http/operations.ts';
import { closed, day, listOf, listQuery, nullable, oneOf, problems } from '../../http/schemas.ts';
import type { Access } from '../people/auth/access.ts';
import { selectTaxpayer } from './books/books.queries.ts';
import { AssetSettings, AssetsPatch, StatedAssets } from './settings/document.ts';
import { patchSettings } from './settings/patch.ts';
import { changeSettings } from './settings/settings.ts';
import { loadAssetNames } from './transactions/asset-names/asset-names.ts';
import { toClassRules } from './transactions/elections.ts';
import { inTurn } from './transactions/store.ts';
import { type AssetUse, selectAssetUses } from './transactions/transactions.queries.ts';

const { onBooks } = group('Settings');

/** Defines the routes for asset classes, the reasons for them, and the taxpayer's settings. */
export const assetRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/assets',
      ({ books, taxpayer, query: parameters }) => {
        const after = readCursor(parameters.cursor, ['string', 'string']);
        return books.snapshot((sql) =>
          assetsAfter(sql, taxpayer.id, { after, limit: parameters.limit ?? limitDefault }),
        );
      },
      onBooks('listAssets', read, {
        summary: 'List assets with class, reason and name',
        description: 'Sorted by name and class. A coin and a stock with the same name are two assets.',
        query: listQuery,
        response: { 200: listOf(AssetItem) },
      }),
    )
    .patch(
      '/assets',
      async ({ taxpayer, body }) => ({
        assets: await inTurn(deps, taxpayer.id, async (sql) => {
          const before = (await selectTaxpayer(sql, taxpayer.id)).settings;
          const after = patchSettings(before, { assets: body });
          if (JSON.stringify(after) !== JSON.stringify(before)) await changeSettings(sql, taxpayer.id, after);
          return { ...after.assets };
        }),
      }),
      onBooks('updateAssets', write('assets_changed'), {
        summary: 'Set the class of assets (JSON merge patch)',
        description:
          'Contains settings by asset name. Omitted assets keep their settings, and null removes a setting. Names without transactions are allowed. The books are recomputed before the response.',
        body: { ...AssetsPatch, examples: [{ BTC: { assetClass: 'crypto' } }] },
        response: { 200: closed({ assets: StatedAssets }), ...problems('year_locked') },
      }),
    );

async function assetsAfter(
  sql: Sql,
  taxpayerId: string,
  { after, limit }: { readonly after: readonly [string, string] | undefined; readonly limit: number },
): Promise<Page<Asset & { name: string | null }>> {
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const all = await readAssets(sql, taxpayerId, toClassRules(settings));
  const following = after === undefined ? all : all.filter((one) => isAfter(one, after));
  const rows = page(following.slice(0, limit + 1), limit, ({ asset, assetClass }) => [asset, assetClass]);
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    rows.data.map(({ asset }) => asset),
  );
  const named = rows.data.map((one) => ({
    ...one,
    stated: settings.assets?.[one.asset] ?? null,
    name: nameOf(one.asset, one.assetClass) ?? null,
  }));
  return { ...rows, data: named };
}

function isAfter({ asset, assetClass }: Asset, [name, of]: readonly [string, string]): boolean {
  return asset > name || (asset === name && assetClass > of);
}

const AssetItem = closed(
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
type Asset = Readonly<Omit<typeof AssetItem.static, 'name'>>;

/** Returns all assets in the rows, sorted by name and class. Excludes cash. */
async function readAssets(sql: Sql, taxpayerId: string, rules: ClassRules): Promise<Asset[]> {
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
