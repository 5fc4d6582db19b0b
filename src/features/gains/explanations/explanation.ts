import { formatDay } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { toFactId, urlSafe } from '../../../forms/ids.ts';
import { isUuid } from '../../../http/errors.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { selectFactsOn, selectTransactionDisposals } from '../../ledger/books/facts/facts.queries.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import { addValuations } from '../../ledger/prices/valuations.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { selectTransactions } from '../../ledger/transactions/list.queries.ts';
import type { LineContext } from './line-kinds.ts';
import { type LotHistory, readLotHistory } from './lot-history.ts';
import { type BooksReader, loadSources, type SourceRole } from './sources.ts';
import { buildSteps } from './steps.ts';

/** Explains each number on a line of Form 8949. Returns undefined if the line does not exist. */
export async function explainLine(from: BooksReader, taxpayerId: string, id: string) {
  const { sql } = from;
  const factId = toFactId(id);
  const openedBy = parseTransactionId(factId);
  if (!isUuid(openedBy)) return undefined;
  const lines = await selectTransactionDisposals(sql, taxpayerId, openedBy);
  const disposal = lines.find((one) => one.id === factId);
  if (disposal === undefined) return undefined;
  const washes = (await selectFactsOn(sql, 'wash', { taxpayerId }, [formatDay(disposal.on)])).filter(
    (wash) => wash.disposalId === factId,
  );
  const [line] = buildLines([disposal], washes);
  if (line === undefined) return undefined;
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules, choices } = toElections(taxpayer.settings, taxpayer.time_zone);
  const named = [disposal.saleId, ...parseOpenerIds(disposal.lotId)];
  const rows = await addValuations(sql, taxpayerId, await selectTransactions(sql, taxpayerId, named));
  const history = rows.length === 0 ? null : await readLotHistory(sql, taxpayerId, disposal, rules, rows);
  const replacing = await selectTransactions(
    sql,
    taxpayerId,
    washes.map((wash) => wash.replacementTransactionId).filter(isUuid),
  );
  const context: LineContext = {
    ...{ line, lines, washes, rules, history },
    columnB: choices.columnB ?? 'held_when_term_differs',
    rows: new Map(rows.map((row) => [row.id, row])),
    openers: parseOpenerIds(disposal.lotId),
    boughtOn: new Map(replacing.map((row) => [row.id, row.on_day])),
  };
  const nameOf = await loadAssetNames(sql, taxpayerId, [disposal.asset]);
  const assetName = nameOf(disposal.asset, disposal.assetClass);
  // If the purchase is unknown, the sale itself opened the lot.
  const openers = context.openers.filter((row) => disposal.purchaseUnknown !== true || row !== disposal.saleId);
  return {
    disposal: { ...lineView(line), ...(assetName === undefined ? {} : { assetName }) },
    sources: await loadSources(from, taxpayerId, [
      [disposal.saleId, 'disposal'],
      ...openers.map((row): [string, SourceRole] => [row, 'lot']),
      ...(history === null ? [] : historyRoles(history)),
      ...washes.map((wash): [string, SourceRole] => [wash.replacementTransactionId, 'replacement']),
    ]),
    washSales: washes.map((wash) => ({
      replacementLotId: urlSafe(wash.replacementLotId),
      replacementTransactionId: urlSafe(wash.replacementTransactionId),
      quantity: formatQuantity(wash.quantity),
      disallowed: formatCents(wash.disallowed),
      permanent: wash.permanent,
    })),
    steps: buildSteps(context),
  };
}

/**
 * Returns the ids of the rows that opened a lot. The id of a lot starts with its row's id. The id of a spun-off lot
 * also contains the id of the parent's row.
 */
function parseOpenerIds(lotId: string): string[] {
  return [...new Set(lotId.split(/[/:]/).filter(isUuid))];
}

function historyRoles({ changes, losses, saleDayRows, consumed }: LotHistory): [string, SourceRole][] {
  const rows = [...changes.flatMap((change) => change.rows), ...saleDayRows];
  const positions = [...consumed.values()].flatMap((amounts) => [...amounts]);
  return [
    ...rows.map((row): [string, SourceRole] => [row.id, 'change']),
    ...losses.map((wash): [string, SourceRole] => [parseTransactionId(wash.disposalId), 'denied']),
    ...positions.map(([row, { role }]): [string, SourceRole] => [row, role]),
  ];
}

/** Returns the transaction id at the start of a fact's id. */
function parseTransactionId(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('/')));
}
