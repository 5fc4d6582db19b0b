import { Elysia, status, t } from 'elysia';
import { engineVersion } from '../../../../engine/replay.ts';
import { cacheHeaders, computeEtag, isNotModified } from '../../../../http/etag.ts';
import { limitDefault, page, readCursor } from '../../../../http/list.ts';
import { group, read } from '../../../../http/operations.ts';
import { listQuery, oneOf } from '../../../../http/schemas.ts';
import { spanParameters, toDayRange } from '../../../../http/span.ts';
import { selectTaxpayer } from '../../../ledger/books/books.queries.ts';
import type { Access } from '../../../people/auth/access.ts';
import { type GainScope, groupings } from './gains.queries.ts';
import { GainList } from './gains.schemas.ts';
import { buildGroupKey, gainGroupView, readGains } from './gains.ts';

const { onBooks } = group('Tax');

/** Returns totals for charts and tables. */
export const gainRoutes = (access: Access) =>
  new Elysia().use(access).get(
    '/gains',
    async ({ books, request, set, taxpayer, query: parameters }) => {
      const limit = parameters.limit ?? limitDefault;
      const after = readCursor(parameters.cursor, ['string', 'string'])?.join('\u0000');
      const scope: GainScope = { taxpayerId: taxpayer.id, by: parameters.by, ...toDayRange(parameters) };
      const gains = await books.snapshot(async (sql) => {
        const { revision } = await selectTaxpayer(sql, taxpayer.id);
        const { by, from, before } = scope;
        const etag = await computeEtag(revision, engineVersion, 'gains', by, from, before, after ?? null, limit);
        if (isNotModified(request, etag)) return { etag, body: null };
        const { groups, sum } = await readGains(sql, scope);
        const following = after === undefined ? groups : groups.filter((group) => buildGroupKey(group) > after);
        const listed = page(
          following.slice(0, limit + 1),
          limit,
          (group) => [group.key, group.assetClass ?? ''],
          (group) => ({ key: group.key, assetClass: group.assetClass, ...gainGroupView(group) }),
        );
        return { etag, body: { by, from, to: before, sum: gainGroupView(sum), ...listed } };
      });
      Object.assign(set.headers, cacheHeaders(gains.etag));
      return gains.body ?? status(304, undefined);
    },
    onBooks('listGains', read, {
      summary: 'Get gains by day, month, year, asset, account or type',
      description:
        'Sums the lines of Form 8949, section 1256 contracts and income by day of recognition. The sums of a whole year equal its summary to the cent.',
      query: { ...listQuery, by: oneOf(groupings), ...spanParameters },
      response: { 200: GainList, 304: t.Void({ description: 'Not changed.' }) },
    }),
  );
