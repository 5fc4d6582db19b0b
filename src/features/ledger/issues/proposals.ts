import { formatDay } from '../../../base/day.ts';
import { formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Event } from '../../../engine/events/event.ts';
import { compareEvents } from '../../../engine/events/event-order.ts';
import { buildEvents } from '../../../engine/events/events.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { parseNamesFromIssueId } from '../../../engine/rules/questions/same-security.ts';
import { yearEndOrdinal } from '../../../engine/rules/year/year-end.ts';
import { isUuid } from '../../../http/errors.ts';
import { selectSources } from '../books/books.queries.ts';
import { selectTransactionDisposals } from '../books/facts.queries.ts';
import { describeUse } from '../prices/price-needs.ts';
import { findMissingPrices } from '../prices/valuations.ts';
import { selectTransactions } from '../transactions/list.queries.ts';
import { isDatedByRow, takesBasis } from '../transactions/resolutions.ts';
import { parseQuantityColumn, toTransaction } from '../transactions/rows.ts';
import { isAboutName, proposeClasses, proposeNames } from './class-resolutions.ts';
import { type Shortfall, selectOtherLegs, selectShortfalls, type WorklistRow } from './issues.queries.ts';
import { proposeRow } from './proposed-row-resolutions.ts';
import { ordinalOf, type Proposal } from './resolution.ts';

const accept: Proposal = { action: 'accept', detail: 'Keep it and note why.' };

/**
 * Returns the proposal to accept an issue. `today` is needed to determine whether the wash sale window of a loss has
 * closed, because the books do not contain today's date.
 */
function buildAcceptProposal({ issue, closesOn }: Pick<WorklistRow, 'issue' | 'closesOn'>, today: string): Proposal {
  if (issue === 'same_security')
    return { ...accept, detail: 'They are two securities: keep them separate and note why.' };
  if (closesOn === null) return accept;
  if (today <= closesOn)
    return { ...accept, detail: `Do not buy any until ${closesOn}. Then import the transactions up to that day.` };
  return {
    ...accept,
    detail: `${closesOn} has passed: confirm that you bought nothing until then, or import the purchases.`,
  };
}

/** Returns the proposals for a page of issues. Reads the rows of all issues in one statement. */
export async function proposalsFor(
  sql: Sql,
  taxpayerId: string,
  issues: readonly WorklistRow[],
  today: string,
): Promise<Map<string, Proposal[]>> {
  const ids = [...new Set(issues.flatMap((issue) => issue.transactions))].filter(isUuid);
  const rows = ids.length === 0 ? [] : await selectTransactions(sql, taxpayerId, ids);
  const transactions = new Map(rows.map((row) => [row.id, toTransaction(row)]));
  const proposals = new Map<string, Proposal[]>();
  for (const issue of issues) {
    const issueRows = issue.transactions.flatMap((id) => transactions.get(id) ?? []);
    const built = issue.status === 'open' ? await buildProposals(sql, taxpayerId, issue, issueRows) : [];
    proposals.set(issue.id, issue.status === 'open' ? [...built, buildAcceptProposal(issue, today)] : []);
  }
  return proposals;
}

async function buildProposals(
  sql: Sql,
  taxpayerId: string,
  issue: WorklistRow,
  transactions: readonly Transaction[],
): Promise<Proposal[]> {
  const [first] = transactions;
  if (issue.issue === 'row_differs') return proposeRow(first);
  if (first === undefined) return [];
  switch (issue.issue) {
    case 'oversold':
      return [await proposeMissingLot(sql, taxpayerId, issue, first)];
    case 'option_not_open':
      return proposeMissingContracts(sql, taxpayerId, issue, first);
    case 'basis_missing':
      return proposeBasis(transactions[1] ?? first);
    case 'gift_incomplete':
      return [proposeGiftBasis(first)];
    case 'transfer_unpaired':
      return [
        ...(await proposePairs(sql, taxpayerId, first)),
        ...(first.type === 'deposit' ? proposeBasis(first) : []),
      ];
    case 'tax_year_by_zone':
      return proposeZones(sql, taxpayerId, transactions);
    case 'class_unknown':
      return proposeClasses(sql, taxpayerId, issue);
    case 'unreconciled':
      if (isOfUnheld(issue, first)) return [{ action: 'basis', detail: enterCost(`The missing ${issue.asset}`) }];
      return isAboutName(issue.id) ? proposeNames(sql, taxpayerId, issue) : [];
    case 'same_security':
      return proposeSameAsset(issue);
    case 'discount_unknown':
      return proposeDiscounts(first);
    case 'value_missing':
      // A contract that is open at the end of a year needs a row with its price. A value for the transaction itself
      // does not help.
      return ordinalOf(issue.id) === yearEndOrdinal ? [] : proposeValues(sql, taxpayerId, first);
    default:
      return [];
  }
}

/**
 * Returns whether an issue is about a corporate action on units that the account did not hold. A purchase before the
 * first row is the usual reason.
 */
export function isOfUnheld(issue: Pick<WorklistRow, 'issue' | 'account' | 'dollars'>, tx: Transaction): boolean {
  const isAction =
    tx.type === 'merger' || tx.type === 'spinoff' || (tx.type === 'return_of_capital' && issue.dollars !== null);
  return issue.issue === 'unreconciled' && isAction && issue.account !== '';
}

function proposeSameAsset({ id }: Pick<WorklistRow, 'id'>): Proposal[] {
  const names = parseNamesFromIssueId(id);
  if (names === undefined) return [];
  const { name, sameAs } = names;
  const detail = `They are one security: all transactions of ${name} count as ${sameAs}.`;
  return [{ action: 'same_asset', asset: name, sameAs, detail }];
}

async function proposeMissingLot(sql: Sql, taxpayerId: string, issue: WorklistRow, tx: Transaction): Promise<Proposal> {
  const quantity = await findMissingUnits(sql, taxpayerId, issue, tx);
  const units = quantity === undefined ? 'The missing units' : `${quantity} ${issue.asset}`;
  return {
    action: 'basis',
    detail: enterCost(units),
    ...(quantity === undefined ? {} : { quantity }),
  };
}

function enterCost(units: string): string {
  return `${units}: enter the cost and the purchase date, or import the purchase.`;
}

/**
 * Proposes how to add contracts that were bought or written before the first imported row. An exercise or assignment
 * shows which of the two.
 */
async function proposeMissingContracts(
  sql: Sql,
  taxpayerId: string,
  issue: WorklistRow,
  tx: Transaction,
): Promise<Proposal[]> {
  const quantity = await findMissingUnits(sql, taxpayerId, issue, tx);
  if (quantity === undefined) return [];
  const contracts = `${quantity} ${issue.asset}`;
  const bought: Proposal = {
    action: 'basis',
    detail: enterCost(contracts),
    quantity,
  };
  const written: Proposal = {
    action: 'value',
    detail: `${contracts}: enter the premium received and the date they were written, or import the opening sale.`,
    quantity,
  };
  if (tx.type === 'exercise') return [bought];
  return tx.type === 'expire' ? [bought, written] : [written];
}

type StoredIssue = Pick<WorklistRow, 'id' | 'issue' | 'on' | 'account' | 'asset' | 'units'>;

/**
 * Returns the number of units that must be added before an issue is resolved. An added lot goes to the first sale or
 * transfer of the day that lacks units, so the units that earlier ones lack are included, even if their cost of zero
 * was accepted.
 */
export async function findMissingUnits(
  sql: Sql,
  taxpayerId: string,
  issue: StoredIssue,
  tx: Transaction,
): Promise<string | undefined> {
  if (issue.issue !== 'oversold' || issue.units === null) return findUnitsOfLine(sql, taxpayerId, issue, tx);
  const shortfalls = await selectShortfalls(sql, taxpayerId, issue);
  const rows = await selectTransactions(
    sql,
    taxpayerId,
    shortfalls.map(({ transaction }) => transaction),
  );
  const events = rows.flatMap((row) => buildEvents(toTransaction(row)));
  const eventOf = ({ id, transaction }: Pick<Shortfall, 'id' | 'transaction'>): Event | undefined =>
    events.find((event) => event.tx.id === transaction && event.ordinal === ordinalOf(id));
  const own = eventOf({ id: issue.id, transaction: tx.id });
  const earlier = shortfalls.filter((shortfall) => {
    const event = shortfall.id === issue.id ? undefined : eventOf(shortfall);
    return own !== undefined && event !== undefined && compareEvents(event, own) < 0;
  });
  const units = [issue, ...earlier].reduce((sum, one) => sum + BigInt(parseQuantityColumn(one.units) ?? 0n), 0n);
  return formatQuantity(units as Quantity);
}

/** Returns the number of units of the line without basis, or otherwise of the issue. */
async function findUnitsOfLine(
  sql: Sql,
  taxpayerId: string,
  issue: StoredIssue,
  tx: Transaction,
): Promise<string | undefined> {
  const lines = issue.asset === tx.asset ? await selectTransactionDisposals(sql, taxpayerId, tx.id) : [];
  // Checks the asset, because an assignment also sells shares, which may be missing too.
  const unknown = lines.find((line) => line.asset === issue.asset && line.lotId === `${tx.id}/unknown`);
  return unknown === undefined ? (issue.units ?? undefined) : formatQuantity(unknown.quantity);
}

function proposeBasis(tx: Transaction): Proposal[] {
  if (!takesBasis(tx.type)) return [];
  const units = tx.quantity === null ? tx.asset : `${formatQuantity(tx.quantity)} ${tx.asset}`;
  const day = isDatedByRow(tx.type) ? '' : ' and the purchase date';
  const detail = `Enter the cost of the ${units} of ${formatDay(tx.on)}${day}.`;
  return [{ action: 'basis', detail, ...(tx.quantity === null ? {} : { quantity: formatQuantity(tx.quantity) }) }];
}

/**
 * Proposes to enter the donor's basis and date and the value on the day of the gift, or only the value if nothing else
 * is missing.
 */
function proposeGiftBasis(tx: Transaction): Proposal {
  const units = tx.quantity === null ? tx.asset : `${formatQuantity(tx.quantity)} ${tx.asset}`;
  const worth = `the value of the ${units} on ${formatDay(tx.on)}, the day of the gift`;
  if (tx.basis !== null && tx.acquired !== null && (tx.currency === '' || tx.currency === 'USD'))
    return { action: 'value', detail: `Enter ${worth}.` };
  const detail = `Enter the donor's cost and purchase date. If the transaction has no value, enter as the amount ${worth}.`;
  return { action: 'basis', detail, ...(tx.quantity === null ? {} : { quantity: formatQuantity(tx.quantity) }) };
}

/**
 * Proposes to enter market discount, or to add rows for original issue discount. The latter is income of earlier years.
 */
function proposeDiscounts(tx: Transaction): Proposal[] {
  const sale = `the sale of ${tx.asset} on ${formatDay(tx.on)}`;
  return [
    {
      action: 'value',
      detail: `Enter the accrued market discount of ${sale}, as in Form 1099-B box 1f. It is taxed as interest. Enter 0 if there was none, such as when the discount was below the de minimis amount.`,
    },
    {
      action: 'add',
      detail: `If it was issued at a discount, enter the original issue discount of each year until ${sale} (Form 1099-OID, boxes 1 and 8). Each amount is income of its year and increases the basis.`,
    },
  ];
}

/** Proposes to set the taxpayer's time zone, or a different one for the rows of an import. */
async function proposeZones(sql: Sql, taxpayerId: string, rows: readonly Transaction[]): Promise<Proposal[]> {
  const sources = await selectSources(
    sql,
    taxpayerId,
    rows.map(({ id }) => id),
  );
  const files = new Map(sources.map(({ import_id: importId, file }) => [importId, file]));
  return [
    { action: 'zone', detail: 'Choose your time zone, even if it is UTC.' },
    ...[...files].map(([importId, file]) => ({
      action: 'zone_of_import' as const,
      importId,
      detail: `If the times in ${file} are not in your time zone, choose the time zone of that file.`,
    })),
  ];
}

async function proposePairs(sql: Sql, taxpayerId: string, tx: Transaction): Promise<Proposal[]> {
  if (tx.quantity === null) return [];
  const [assetKey = ''] = listAssetKeys(tx);
  const leg = { type: tx.type, assetKey, day: formatDay(tx.on), quantity: formatQuantity(tx.quantity) };
  return (await selectOtherLegs(sql, taxpayerId, leg)).map((other) => ({
    action: 'pair' as const,
    with: other.id,
    detail: `The ${other.type} of ${other.quantity} ${tx.asset} in ${other.account} on ${other.day} may be its other end.`,
  }));
}

async function proposeValues(sql: Sql, taxpayerId: string, tx: Transaction): Promise<Proposal[]> {
  const asks = await findMissingPrices(sql, taxpayerId, tx);
  const prices = asks.map((ask): Proposal => {
    const date = formatDay(ask.day);
    return {
      action: 'price',
      asset: ask.asset,
      date,
      detail: `Enter the price of ${ask.asset} on ${date}, for ${describeUse(tx, ask)}.`,
    };
  });
  return [...prices, { action: 'value', detail: `Enter the value in US dollars on ${formatDay(tx.on)}.` }];
}
