import { formatDay, formatInstant } from '../../../base/day.ts';
import { formatMoney, formatQuantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { underlyingOf } from '../../../engine/events/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { type Book, openLots } from '../../../engine/replay.ts';
import { isUuid } from '../../../http/errors.ts';
import type { FetchedBytes } from '../../ledger/blobs/read.ts';
import { selectSources } from '../../ledger/books/books.queries.ts';
import { selectValuations, type ValuationRow } from '../../ledger/prices/prices.queries.ts';
import { getPriceTime } from '../../ledger/prices/sources.ts';
import { selectTransactions } from '../../ledger/transactions/list.queries.ts';
import { mapNullable, toTransaction } from '../../ledger/transactions/rows.ts';
import { readRaw } from '../../ledger/transactions/texts.ts';
import { type ResolutionRow, selectCorrectedByHand, selectResolutions } from './explanations.queries.ts';

/** A database connection for the rows, with access to the text of the imported files. */
export interface BooksReader {
  readonly sql: Sql;
  readonly bytes: FetchedBytes;
}

/** Returns the rows behind a line, in the given order. A row appears once for each of its roles. */
export async function loadSources(
  from: BooksReader,
  taxpayerId: string,
  roles: readonly (readonly [string, SourceRole])[],
) {
  const { sql } = from;
  const ids = [...new Set(roles.map(([id]) => id))].filter(isUuid);
  const rows = await selectTransactions(sql, taxpayerId, ids);
  const transactions = new Map(rows.map((row) => [row.id, toTransaction(row)]));
  const sourceLines = await readSourceLines(from, taxpayerId, ids);
  const valuations = Map.groupBy(await selectValuations(sql, taxpayerId, ids), (row) => row.transaction_id);
  const byHand = await selectCorrectedByHand(sql, taxpayerId, ids);
  const answers = Map.groupBy(await selectResolutions(sql, taxpayerId, ids), (row) => row.about);
  return roles.flatMap(([id, role], at) => {
    const transaction = transactions.get(id);
    const repeated = roles.findIndex(([other, otherRole]) => other === id && otherRole === role) < at;
    if (transaction === undefined || repeated) return [];
    return {
      ...sourceView(role, transaction, sourceLines.get(id), valuations.get(id) ?? []),
      // A row without a file was entered manually, so it is not a correction.
      corrected: byHand.has(id) && sourceLines.has(id),
      answers: (answers.get(id) ?? []).map(toResolutionView),
    };
  });
}

interface SourceLine {
  readonly file: string;
  readonly line: number;
  /** The original lines of the file that the row comes from. Null for rows after the first `rawMax`. */
  readonly raw: string | null;
}

/** Limits how many raw lines are read, because a wash sale may have hundreds of replacement purchases. */
const rawMax = 50;

async function readSourceLines(
  { sql, bytes }: BooksReader,
  taxpayerId: string,
  ids: readonly string[],
): Promise<Map<string, SourceLine>> {
  const sourceLines = new Map<string, SourceLine>();
  for (const { id, import_id, file, line } of await selectSources(sql, taxpayerId, ids)) {
    const isShown = sourceLines.size < rawMax;
    const raw = isShown ? (await readRaw(sql, bytes, taxpayerId, { importId: import_id, line })).raw : null;
    sourceLines.set(id, { file, line, raw });
  }
  return sourceLines;
}

function sourceView(
  role: SourceRole,
  transaction: Transaction,
  source: SourceLine | undefined,
  valuations: readonly ValuationRow[],
) {
  return {
    role,
    transactionId: transaction.id,
    type: transaction.type,
    date: transaction.at === null ? formatDay(transaction.on) : formatInstant(transaction.at),
    day: formatDay(transaction.on),
    account: transaction.account,
    asset: transaction.asset,
    quantity: mapNullable(transaction.quantity, formatQuantity),
    amount: mapNullable(transaction.amount, formatMoney),
    fee: mapNullable(transaction.fee, formatMoney),
    file: source?.file ?? null,
    line: source?.line ?? null,
    raw: source?.raw ?? null,
    currency: transaction.currency,
    prices: valuations.map(({ figure, asset, day, usd, source }) => ({
      figure,
      asset,
      date: day,
      usd,
      source,
      time: getPriceTime(source),
    })),
  };
}

function toResolutionView({ action, given, other, note }: ResolutionRow) {
  const { basis = null, acquired = null, amount = null } = given;
  return { action, basis, acquired, amount, with: other, note };
}

/**
 * The role of a row in a line of Form 8949. In order: it sold the units, opened the lot, changed the lot, opened an
 * option that the lot used, opened a short sale that the lot closed, passed its disallowed loss on to the basis, or
 * replaced the units sold.
 */
export const sourceRoles = ['disposal', 'lot', 'change', 'option', 'short', 'denied', 'replacement'] as const;

export type SourceRole = (typeof sourceRoles)[number];

/** The cost or proceeds of open options and short sales, by the row that opened them. */
export type PositionAmounts = ReadonlyMap<string, { readonly role: SourceRole; readonly cents: bigint }>;

/**
 * Returns the positions in a book that these rows may consume: options that they exercise or assign, and short sales
 * that they close.
 */
export function openPositionsFor(rows: readonly Transaction[], book: Book): PositionAmounts {
  const positions = new Map<string, { role: SourceRole; cents: bigint }>();
  const add = (row: string, role: SourceRole, cents: bigint): void => {
    positions.set(row, { role, cents: (positions.get(row)?.cents ?? 0n) + cents });
  };
  for (const row of rows) {
    const { type, asset, account } = row;
    const isOwn = (one: { readonly asset: string; readonly account: string }): boolean =>
      one.asset === asset && one.account === account;
    if (type === 'exercise') {
      for (const { id, basis } of openLots(book).filter(isOwn)) add(id.slice(0, id.indexOf('/')), 'option', basis);
    } else if (type === 'assign') {
      for (const one of book.written.filter(isOwn)) add(one.openedBy, 'option', one.wholePremium - one.premiumTaken);
    }
    // Stock acquired through an option may also close a short sale.
    const covered = type === 'cover' ? asset : type === 'exercise' || type === 'assign' ? underlyingOf(row) : null;
    for (const one of book.shorts.filter((short) => short.asset === covered && short.account === account)) {
      add(one.openedBy, 'short', one.wholeProceeds - one.proceedsTaken);
    }
  }
  return positions;
}

/** Returns the amounts that were open before and are no longer open after. */
export function consumedBetween(before: PositionAmounts, after: PositionAmounts): PositionAmounts {
  const consumed = [...before].map(
    ([row, { role, cents }]) => [row, { role, cents: cents - (after.get(row)?.cents ?? 0n) }] as const,
  );
  return new Map(consumed.filter(([, { cents }]) => cents !== 0n));
}

export function sumRole(amounts: PositionAmounts | undefined, role: SourceRole): bigint {
  return [...(amounts?.values() ?? [])].reduce((sum, one) => sum + (one.role === role ? one.cents : 0n), 0n);
}
