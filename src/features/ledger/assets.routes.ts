import { Elysia } from 'elysia';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { limitDefault, type Page, page, readCursor } from '../../http/list.ts';
import { group, read, write } from '../../http/operations/operations.ts';
import { closed, listOf, listQuery, problems } from '../../http/schemas.ts';
import type { Access } from '../people/auth/access.ts';
import { type Asset, AssetItem, readAssets } from './assets.ts';
import { selectTaxpayer } from './books/books.queries.ts';
import { AssetsPatch, StatedAssets } from './settings/document.ts';
import { patchSettings } from './settings/patch.ts';
import { changeSettings } from './settings/settings.ts';
import { loadAssetNames } from './transactions/asset-names/asset-names.ts';
import { toClassRules } from './transactions/elections.ts';
import { inTurn } from './transactions/turn.ts';

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
