import { formatDay } from '../../base/day.ts';
import { formatCents, formatQuantity } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import { linesOf } from '../../engine/rules/year/year.ts';
import { factIdOf, urlSafe } from '../../forms/ids.ts';
import { isUuid } from '../../http/errors.ts';
import { selectDisposalsOf, selectFactsOn } from '../books/facts/queries.ts';
import { lineView } from '../books/line-members.ts';
import { selectTaxpayer } from '../books/queries.ts';
import { valuedOf } from '../prices/valuations.ts';
import { electionsOf } from '../transactions/elections.ts';
import { selectTransactions } from '../transactions/list/queries.ts';
import { type Course, followLot } from './explain-course.ts';
import { sourcesOf } from './explain-sources.ts';
import { type Explained, stepsOf } from './explain-steps.ts';
import type { Role } from './source-roles.ts';

/** How each number of a line came about; undefined where there is no such line. */
export async function explain(sql: Sql, taxpayerId: string, id: string) {
  const factId = factIdOf(id);
  const openedBy = transactionIn(factId);
  if (!isUuid(openedBy)) return undefined;
  const lines = await selectDisposalsOf(sql, taxpayerId, openedBy);
  const disposal = lines.find((one) => one.id === factId);
  if (disposal === undefined) return undefined;
  const washes = (await selectFactsOn(sql, 'wash', { taxpayerId }, [formatDay(disposal.on)])).filter(
    (wash) => wash.disposalId === factId,
  );
  const [line] = linesOf([disposal], washes);
  if (line === undefined) return undefined;
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules, choices } = electionsOf(taxpayer.settings, taxpayer.time_zone);
  const named = [disposal.saleId, ...rowsIn(disposal.lotId)];
  const rows = await valuedOf(sql, taxpayerId, await selectTransactions(sql, taxpayerId, named));
  const course = rows.length === 0 ? null : await followLot(sql, taxpayerId, disposal, rules, rows);
  const replacing = await selectTransactions(
    sql,
    taxpayerId,
    washes.map((wash) => wash.replacementTransactionId).filter(isUuid),
  );
  const explained: Explained = {
    ...{ line, lines, washes, rules, course },
    columnB: choices.columnB ?? 'held_when_term_differs',
    rows: new Map(rows.map((row) => [row.id, row])),
    openers: rowsIn(disposal.lotId),
    boughtOn: new Map(replacing.map((row) => [row.id, row.on_day])),
  };
  return {
    disposal: lineView(line),
    sources: await sourcesOf(sql, taxpayerId, [
      [disposal.saleId, 'disposal'],
      ...rowsIn(disposal.lotId).map((row): [string, Role] => [row, 'lot']),
      ...(course === null ? [] : rolesOf(course)),
      ...washes.map((wash): [string, Role] => [wash.replacementTransactionId, 'replacement']),
    ]),
    washSales: washes.map((wash) => ({
      replacementLotId: urlSafe(wash.replacementLotId),
      replacementTransactionId: urlSafe(wash.replacementTransactionId),
      quantity: formatQuantity(wash.quantity),
      disallowed: formatCents(wash.disallowed),
      permanent: wash.permanent,
    })),
    steps: stepsOf(explained),
  };
}

/** The rows that the name of a lot begins with, and of a spin-off's those that it came of. */
function rowsIn(lotId: string): string[] {
  return [...new Set(lotId.split(/[/:]/).filter(isUuid))];
}

function rolesOf({ stations, losses, today, usedUp }: Course): [string, Role][] {
  const changes = [...stations.flatMap(({ rows }) => rows), ...today];
  const used = [...usedUp.values()].flatMap((own) => [...own]);
  return [
    ...changes.map((row): [string, Role] => [row.id, 'change']),
    ...losses.map((wash): [string, Role] => [transactionIn(wash.disposalId), 'denied']),
    ...used.map(([row, { role }]): [string, Role] => [row, role]),
  ];
}

/** The transaction that an id of a fact begins with. */
function transactionIn(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('/')));
}
