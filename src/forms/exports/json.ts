import { type Day, formatDay } from '../../base/day.ts';
import { type Cents, formatCents, formatMoney, formatQuantity } from '../../base/decimal.ts';
import type { Contract1256, Income, Issue, Line, Lot, WashSale } from '../../engine/model.ts';
import { assumedForms } from '../assumed-forms.ts';
import { choicesByFormat } from '../choices.ts';
import { draftSuffix, isDraft } from '../draft.ts';
import { formatFigures } from '../figures.ts';
import { listPropertyGifts, type PropertyGift } from '../form-8283.ts';
import { type Form8997Row, form8997 } from '../form-8997.ts';
import { issueName, urlSafe } from '../lines.ts';
import { previewOf8997 } from '../preview.ts';
import { listNames, type ReportBooks, type ReportFormat } from '../report.ts';
import { scheduleD } from '../schedule-d/schedule-d.ts';
import { encodeChunks } from './text.ts';

/** Writes all data for the year like the API does: decimal strings, calendar days, camelCase fields. */
export const jsonReport: ReportFormat = {
  id: 'json',
  name: 'Lines, summary and totals (JSON)',
  mediaType: 'application/json',
  takes: choicesByFormat.json,
  reads: listNames,
  fileName: (books) => `lotbook-${books.year}${draftSuffix(books)}.json`,
  render: (books) => encodeChunks(pieces(books)),
};

/** Writes lists one item at a time, so that a year with a million lines is never held as one string. */
function* pieces(books: ReportBooks): Generator<string> {
  const { year, revision, asOf, taxpayer, filingStatus, wholeDollars, rules } = books;
  const state = { draft: isDraft(books), openIssues: books.summary.issues };
  yield `{\n"report": ${JSON.stringify({ year, ...state, revision, asOf, taxpayer, filingStatus, wholeDollars })}`;
  yield `,\n"rules": ${JSON.stringify(rules)}`;
  yield `,\n"summary": ${JSON.stringify(summaryJson(books))}`;
  yield* list('lines', books.lines, (line) => lineJson(line, books));
  yield* list('washSales', books.washSales, washJson);
  yield* list('incomes', books.incomes, incomeJson);
  yield* list('contracts1256', books.contracts, contractJson);
  yield* list('openLots', books.openLots, lotJson);
  yield* list('gifts', listPropertyGifts(books), giftJson);
  yield* list('form8997', form8997(books), (row) => fundJson(row, books));
  yield* list('issues', books.issues, issueJson);
  yield '\n}\n';
}

function* list<T>(name: string, items: readonly T[], json: (item: T) => unknown): Generator<string> {
  yield `,\n"${name}": [`;
  let separator = '\n';
  for (const item of items) {
    yield separator + JSON.stringify(json(item));
    separator = ',\n';
  }
  yield items.length === 0 ? ']' : '\n]';
}

function summaryJson(books: ReportBooks): unknown {
  const { summary, carryoverIn } = books;
  const { short, long, deductible } = scheduleD({ ...books, wholeDollars: false }).carryover;
  const carryover = {
    in: lossesJson(carryoverIn),
    out: lossesJson({ short, long }),
    deductible: formatCents(deductible),
  };
  const assumed = { assumedForms: assumedForms(books) };
  return { year: summary.year, ...formatFigures(summary), carryover, ...assumed, issues: summary.issues };
}

function lossesJson({ short, long }: ReportBooks['carryoverIn']): unknown {
  return { short: formatCents(short), long: formatCents(long) };
}

function lineJson({ disposal, code, adjustment, gain }: Line, books: ReportBooks): unknown {
  return {
    id: urlSafe(disposal.id),
    box: disposal.box,
    boxReason: disposal.boxReason,
    asset: disposal.asset,
    assetClass: disposal.assetClass,
    account: disposal.account,
    quantity: formatQuantity(disposal.quantity),
    acquired: lineDate(disposal, disposal.acquired),
    heldSince: lineDate(disposal, disposal.heldSince),
    sold: formatDay(disposal.sold),
    proceeds: formatCents(disposal.proceeds),
    basis: formatCents(disposal.basis),
    code,
    adjustment: formatCents(adjustment),
    gain: formatCents(gain),
    term: disposal.purchaseUnknown ? null : disposal.term,
    ...(disposal.basisUnknown ? { basisUnknown: true } : {}),
    shortSale: disposal.shortSale,
    ...(disposal.expired === null ? {} : { expired: disposal.expired }),
    ...(disposal.description === null ? {} : { description: disposal.description }),
    saleId: urlSafe(disposal.saleId),
    lotId: urlSafe(disposal.lotId),
    ...sourceJson(disposal.saleId, books),
  };
}

function lineDate(disposal: Line['disposal'], day: Day): string | null {
  if (disposal.purchaseUnknown) return null;
  return disposal.acquiredVarious ? 'VARIOUS' : formatAcquiredDate(disposal, day);
}

function sourceJson(transactionId: string, books: ReportBooks): Record<string, unknown> {
  const source = books.sources.get(transactionId);
  return source === undefined ? {} : { source: { file: source.file, line: source.line } };
}

function washJson(wash: WashSale): unknown {
  return {
    id: urlSafe(wash.id),
    disposalId: urlSafe(wash.disposalId),
    on: formatDay(wash.on),
    replacementLotId: urlSafe(wash.replacementLotId),
    quantity: formatQuantity(wash.quantity),
    disallowed: formatCents(wash.disallowed),
    permanent: wash.permanent,
  };
}

function incomeJson(income: Income): unknown {
  const { id, type, asset, account, transactionId } = income;
  return {
    id: urlSafe(id),
    on: formatDay(income.on),
    type,
    asset,
    account,
    amount: formatMoney(income.amount),
    transactionId,
  };
}

function contractJson(contract: Contract1256): unknown {
  const { id, asset, account, transactionId } = contract;
  return {
    id: urlSafe(id),
    on: formatDay(contract.on),
    asset,
    account,
    gain: formatCents(contract.gain),
    transactionId,
  };
}

function giftJson({ gift, how, acquired, term, basis, deductible, appraisal }: PropertyGift): unknown {
  return {
    id: urlSafe(gift.id),
    type: gift.type,
    asset: gift.asset,
    assetClass: gift.assetClass,
    account: gift.account,
    description: `${formatQuantity(gift.quantity)} ${gift.asset}`,
    quantity: formatQuantity(gift.quantity),
    given: formatDay(gift.on),
    acquired: acquired === null ? null : formatAcquiredDate(gift, acquired),
    howAcquired: how,
    term,
    basis: basis === null ? null : formatCents(basis),
    fairMarketValue: gift.value === null ? null : formatCents(gift.value),
    ...(gift.type === 'donate' ? { deductible: deductible === null ? null : formatCents(deductible), appraisal } : {}),
    transactionId: gift.transactionId,
  };
}

/** Writes a row of Form 8997. `preview` means that Lotbook was not yet checked against the year's final form. */
function fundJson(row: Form8997Row, { year }: ReportBooks): unknown {
  const { part, fund, account, quantity, invested, includedOn, term } = row;
  const cents = (amount: Cents | null): string | null => (amount === null ? null : formatCents(amount));
  return {
    ...{ preview: previewOf8997(year) !== '', part, fund, account, quantity: formatQuantity(quantity) },
    invested: formatDay(invested),
    includedOn: includedOn === null ? null : formatDay(includedOn),
    term,
    deferred: formatCents(row.deferred),
    included: cents(row.included),
    value: cents(row.value),
    adjustment: cents(row.adjustment),
    basis: cents(row.basis),
  };
}

function lotJson(lot: Lot): unknown {
  return {
    id: urlSafe(lot.id),
    asset: lot.asset,
    assetClass: lot.assetClass,
    account: lot.account,
    quantity: formatQuantity(lot.quantity),
    basis: formatCents(lot.basis),
    acquired: lot.purchaseUnknown ? null : formatAcquiredDate(lot, lot.acquired),
    heldSince: lot.purchaseUnknown ? null : formatAcquiredDate(lot, lot.heldSince),
  };
}

/** Formats the date acquired. Inherited property has no date in column (b) (IRC 1223(9)). */
function formatAcquiredDate({ inherited }: { readonly inherited: boolean }, day: Day): string {
  return inherited ? 'INHERITED' : formatDay(day);
}

function issueJson(issue: Issue): unknown {
  return {
    id: issueName(issue.id),
    kind: issue.issue,
    on: formatDay(issue.on),
    otherYears: issue.otherYears ?? [],
    asset: issue.asset,
    account: issue.account,
    transactions: issue.transactions,
    dollars: issue.dollars === null ? null : formatCents(issue.dollars),
    detail: issue.detail,
  };
}
