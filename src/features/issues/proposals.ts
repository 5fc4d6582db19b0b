import { formatDay } from '../../base/day.ts';
import { formatQuantity } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import { assetKeysOf } from '../../engine/events/keys.ts';
import type { Transaction } from '../../engine/model.ts';
import { yearEndOrdinal } from '../../engine/rules/year/year-end.ts';
import { isUuid } from '../../http/errors.ts';
import { selectDisposalsOf } from '../books/facts/queries.ts';
import { missingPricesOf } from '../prices/valuations.ts';
import { selectTransactions } from '../transactions/list/queries.ts';
import { unitsIn } from '../transactions/resolutions/accepted.ts';
import { isDatedByRow, takesBasis } from '../transactions/resolutions/restate.ts';
import { transactionOf } from '../transactions/rows/columns.ts';
import { ordinalOf } from './names.ts';
import { selectOtherLegs, type WorkRow } from './queries.ts';

/** What could answer an issue, the likeliest first. */
export interface Proposal {
  readonly action: 'basis' | 'pair' | 'value' | 'price' | 'accept';
  readonly detail: string;
  /** The other leg, for `pair`. */
  readonly with?: string;
  /** Units whose basis is wanted, for `basis`. */
  readonly quantity?: string;
  /** The price that is missing, for `price`. */
  readonly asset?: string;
  readonly date?: string;
}

const accept: Proposal = { action: 'accept', detail: 'Leave it as it stands, and say why.' };

/** For the issues of a page, in few statements: most need their rows only. */
export async function proposalsFor(
  sql: Sql,
  taxpayerId: string,
  issues: readonly WorkRow[],
): Promise<Map<string, Proposal[]>> {
  const ids = [...new Set(issues.flatMap((issue) => issue.transactions))].filter(isUuid);
  const rows = ids.length === 0 ? [] : await selectTransactions(sql, taxpayerId, ids);
  const transactions = new Map(rows.map((row) => [row.id, transactionOf(row)]));
  const proposals = new Map<string, Proposal[]>();
  for (const issue of issues) {
    const own = issue.transactions.flatMap((id) => transactions.get(id) ?? []);
    const found = issue.status === 'open' ? await proposalsOf(sql, taxpayerId, issue, own) : [];
    proposals.set(issue.id, issue.status === 'open' ? [...found, accept] : []);
  }
  return proposals;
}

async function proposalsOf(
  sql: Sql,
  taxpayerId: string,
  issue: WorkRow,
  transactions: readonly Transaction[],
): Promise<Proposal[]> {
  const [first] = transactions;
  if (first === undefined) return [];
  switch (issue.issue) {
    case 'oversold':
      return [await missingLot(sql, taxpayerId, issue, first)];
    case 'option_not_open':
      return missingContracts(sql, taxpayerId, issue, first);
    case 'basis_missing':
      return suppliedTo(transactions[1] ?? first);
    case 'gift_incomplete':
      return [suppliedToGift(first)];
    case 'transfer_unpaired':
      return [...(await pairs(sql, taxpayerId, first)), ...(first.type === 'deposit' ? suppliedTo(first) : [])];
    case 'value_missing':
      // Of a contract at the end of a year a row is missing, not a value of this one.
      return ordinalOf(issue.id) === yearEndOrdinal ? [] : values(sql, taxpayerId, first);
    default:
      return [];
  }
}

async function missingLot(sql: Sql, taxpayerId: string, issue: WorkRow, tx: Transaction): Promise<Proposal> {
  const quantity = await missingUnitsOf(sql, taxpayerId, issue, tx);
  const units = quantity === undefined ? 'The missing units' : `${quantity} ${issue.asset}`;
  return {
    action: 'basis',
    detail: `${units}: say what they cost and when they were bought, or import the purchase.`,
    ...(quantity === undefined ? {} : { quantity }),
  };
}

/** Bought before the files begin, or written: an assignment and a purchase that closes say which. */
async function missingContracts(sql: Sql, taxpayerId: string, issue: WorkRow, tx: Transaction): Promise<Proposal[]> {
  const quantity = await missingUnitsOf(sql, taxpayerId, issue, tx);
  if (quantity === undefined) return [];
  const contracts = `${quantity} ${issue.asset}`;
  const bought: Proposal = {
    action: 'basis',
    detail: `${contracts}: say what they cost and when they were bought, or import the purchase.`,
    quantity,
  };
  const written: Proposal = {
    action: 'value',
    detail: `${contracts}: say what writing them brought and when that was, or import the sale that opened them.`,
    quantity,
  };
  if (tx.type === 'exercise') return [bought];
  return tx.type === 'expire' ? [bought, written] : [written];
}

/** As the lines say it where there are any; else as the issue begins. */
export async function missingUnitsOf(
  sql: Sql,
  taxpayerId: string,
  issue: { readonly detail: string; readonly asset: string },
  tx: Transaction,
): Promise<string | undefined> {
  const lines = issue.asset === tx.asset ? await selectDisposalsOf(sql, taxpayerId, tx.id) : [];
  // An assignment also sells shares, which may be missing, too.
  const unknown = lines.find((line) => line.asset === issue.asset && line.lotId === `${tx.id}/unknown`);
  return unknown === undefined ? unitsIn(issue.detail) : formatQuantity(unknown.quantity);
}

function suppliedTo(tx: Transaction): Proposal[] {
  if (!takesBasis(tx.type)) return [];
  const units = tx.quantity === null ? tx.asset : `${formatQuantity(tx.quantity)} ${tx.asset}`;
  const day = isDatedByRow(tx.type) ? '' : ' and when they were bought';
  const detail = `Say what the ${units} of ${formatDay(tx.on)} cost${day}.`;
  return [{ action: 'basis', detail, ...(tx.quantity === null ? {} : { quantity: formatQuantity(tx.quantity) }) }];
}

/** What the donor knows, and the value on the day of the gift; where only that is missing, that. */
function suppliedToGift(tx: Transaction): Proposal {
  const units = tx.quantity === null ? tx.asset : `${formatQuantity(tx.quantity)} ${tx.asset}`;
  const worth = `what the ${units} were worth on ${formatDay(tx.on)}, the day of the gift`;
  if (tx.basis !== null && tx.acquired !== null && (tx.currency === '' || tx.currency === 'USD'))
    return { action: 'value', detail: `Say ${worth}.` };
  const detail = `Say what they cost the donor and when he bought them; and as amount, where the row does not say it, ${worth}.`;
  return { action: 'basis', detail, ...(tx.quantity === null ? {} : { quantity: formatQuantity(tx.quantity) }) };
}

async function pairs(sql: Sql, taxpayerId: string, tx: Transaction): Promise<Proposal[]> {
  if (tx.quantity === null) return [];
  const [assetKey = ''] = assetKeysOf(tx);
  const leg = { type: tx.type, assetKey, day: formatDay(tx.on), quantity: formatQuantity(tx.quantity) };
  return (await selectOtherLegs(sql, taxpayerId, leg)).map((other) => ({
    action: 'pair' as const,
    with: other.id,
    detail: `The ${other.type} of ${other.quantity} ${tx.asset} in ${other.account} on ${other.day} is its other end.`,
  }));
}

async function values(sql: Sql, taxpayerId: string, tx: Transaction): Promise<Proposal[]> {
  const asks = await missingPricesOf(sql, taxpayerId, tx);
  const prices = asks.map((ask): Proposal => {
    const date = formatDay(ask.day);
    return { action: 'price', asset: ask.asset, date, detail: `Give the price of ${ask.asset} on ${date}.` };
  });
  return [...prices, { action: 'value', detail: `Say what it was worth in dollars on ${formatDay(tx.on)}.` }];
}
