import { Elysia, t } from 'elysia';
import { type Day, formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { parseDayParameter } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations.ts';
import { day, listQuery, oneOf } from '../../../http/schemas.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { parseDayColumn } from '../../ledger/transactions/rows.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import type { Access } from '../../people/auth/access.ts';
import { HoldingHistory, HoldingList } from './holdings.schemas.ts';
import {
  buildHoldingKey,
  formatHoldingQuantity,
  type Holding,
  historyPriceDaysMax,
  readHoldingHistory,
  readHoldings,
  sumOfUnits,
} from './holdings.ts';
import { unitValueView } from './valuation.ts';

const { onBooks } = group('Tax');

const historyMonthsDefault = 24;
/** The same limit as for other replays of a whole history. */
const statementSecondsMax = 120;

/** Lists holdings with their values, now and over time. */
export const holdingRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/holdings/history',
      ({ books, caller, taxpayer, query: parameters }) => {
        deps.rateLimits.take('work', caller.userId);
        const today = parseDayColumn(getToday(deps, taxpayer.timeZone));
        const { asset, months = historyMonthsDefault } = parameters;
        return deps.longReads(taxpayer.id, () =>
          books.snapshot((sql) => readHoldingHistory(sql, { taxpayerId: taxpayer.id, asset, months, today }), {
            statementSecondsMax,
          }),
        );
      },
      onBooks('listHoldingHistory', read, {
        summary: 'List the value of holdings over time',
        description: `Returns the value and the cost basis at the end of each of the last months, from the first month with holdings on. A holding has a value if there is a usable price or a trade of the taxpayer at most ${historyPriceDaysMax} days before the end of the month. Nothing is interpolated.`,
        query: {
          asset: t.Optional(t.String({ maxLength: 200, description: 'Only this asset.' })),
          months: t.Optional(
            t.Integer({
              minimum: 1,
              maximum: 60,
              description: `How many ends of months to return. The default is ${historyMonthsDefault}.`,
            }),
          ),
        },
        response: { 200: HoldingHistory },
      }),
    )
    .get(
      '/holdings',
      async ({ books, caller, taxpayer, query: parameters }) => {
        if (parameters.asOf !== undefined) deps.rateLimits.take('work', caller.userId);
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['string', 'string', 'string'])?.join('\u0000');
        const by = parameters.by ?? 'asset';
        const asOf = parseDayParameter('asOf', parameters.asOf);
        const today = parseDayColumn(asOf ?? getToday(deps, taxpayer.timeZone));
        const on = asOf === null ? undefined : today;
        const work = async (sql: Sql) => {
          const held = await readHoldings(sql, { taxpayerId: taxpayer.id, by, asset: parameters.asset, on, today });
          const names = held.map(({ asset }) => asset);
          return [held, await loadAssetNames(sql, taxpayer.id, names)] as const;
        };
        const read = () => books.snapshot(work);
        const [holdings, nameOf] = await (on === undefined ? read() : deps.longReads(taxpayer.id, read));
        const following = after === undefined ? holdings : holdings.filter((one) => buildHoldingKey(one) > after);
        const listed = page(following.slice(0, limit + 1), limit, (one) => [
          one.asset,
          one.assetClass,
          one.account ?? '',
        ]);
        const sum = sumView(holdings);
        return {
          by,
          asOf: formatDay(today),
          sum,
          ...mapPage(listed, (one) => holdingView(one, today, nameOf(one.asset, one.assetClass))),
        };
      },
      onBooks('listHoldings', read, {
        summary: 'List holdings with their values',
        description:
          'Sums the lots open after the last transaction, even a future one, or at the end of the day `asOf`, by asset or by account and asset. The value of a unit is a usable price or the taxpayer’s last trade, no later than that day. Holdings without either have no value. Open short sales and written options are not included.',
        query: {
          ...listQuery,
          by: t.Optional(oneOf(['asset', 'account'], 'One row per asset (the default), or per account and asset.')),
          asset: t.Optional(t.String({ maxLength: 200, description: 'Only this asset.' })),
          asOf: t.Optional(day),
        },
        response: { 200: HoldingList },
      }),
    );

function holdingView(holding: Holding, today: Day, assetName: string | undefined) {
  const { asset, assetClass, account, units } = holding;
  const by = units[0]?.by;
  const { basis, value, unrealized } = sumOfUnits(units);
  const short = units.flatMap((one) => (one.part === 'short' && one.longTermOn !== null ? [one.longTermOn] : []));
  const next = short.length === 0 ? null : (Math.min(...short) as Day);
  return {
    ...{ asset, assetClass, account, quantity: formatHoldingQuantity(holding), basis },
    ...(assetName === undefined ? {} : { assetName }),
    lots: units.reduce((sum, { lots }) => sum + lots, 0),
    valuedBy: by === undefined ? null : unitValueView(by),
    value: by === undefined ? null : value,
    unrealized: by === undefined ? null : unrealized,
    longTermOn: next === null ? null : formatDay(next),
    daysToLongTerm: next === null ? null : next - today,
  };
}

function sumView(holdings: readonly Holding[]) {
  const [unvalued, valued] = [true, false].map((isMissing) =>
    holdings.filter(({ units }) => (units[0]?.by === undefined) === isMissing),
  ) as [Holding[], Holding[]];
  return {
    ...sumOfUnits(holdings.flatMap(({ units }) => units)),
    valuedBasis: sumOfUnits(valued.flatMap(({ units }) => units)).basis,
    unvalued: { holdings: unvalued.length, basis: sumOfUnits(unvalued.flatMap(({ units }) => units)).basis },
  };
}
