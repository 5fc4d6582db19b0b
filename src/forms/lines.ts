import { type Day, formatDayUs, longTermOn } from '../base/day.ts';
import { type Cents, formatQuantity } from '../base/decimal.ts';
import { disposalWith } from '../engine/book/plain-disposal.ts';
import type { Box, Disposal, Line, Term } from '../engine/model.ts';
import { lettersOf } from '../engine/rules/lines/columns.ts';
import { choiceDefaults, type FormChoices } from './choices.ts';
import { printAmount, roundToDollars } from './figures.ts';
import { unknownDate } from './missing-basis.ts';

/**
 * A line as printed on Form 8949. Amounts match the printed text, so that totals add up the printed cells: (h) = (d) −
 * (e) + (g) holds for the cells in each row, in cents and in whole dollars.
 */
export interface FormRow {
  readonly box: Box;
  readonly term: Term;
  /** The lines that this row reports. There is only one unless lines are merged. */
  readonly lines: readonly [Line, ...Line[]];
  /** Column (a). */
  readonly description: string;
  /** Column (b): MM/DD/YYYY, VARIOUS or INHERITED. */
  readonly acquired: string;
  /** Column (c): MM/DD/YYYY. */
  readonly sold: string;
  readonly proceeds: Cents;
  readonly basis: Cents;
  /** Column (f): letters in alphabetical order, without separators. */
  readonly code: string;
  readonly adjustment: Cents;
  readonly gain: Cents;
  /** The column in which the word EXPIRED replaces an amount: (d) for a holder, (e) for a writer. */
  readonly expired: 'proceeds' | 'basis' | null;
  /** Whether at least one line has an unknown basis, which counts as zero. */
  readonly basisUnknown: boolean;
}

/** Columns (a) to (h) as text. */
type FormCells = readonly [string, string, string, string, string, string, string, string];

export type RowChoices = Pick<FormChoices, 'wholeDollars' | 'columnB' | 'merge'>;

/** The order of boxes on the form: Part I, then Part II. */
export const boxOrder: readonly Box[] = ['A', 'B', 'C', 'G', 'H', 'I', 'D', 'E', 'F', 'J', 'K', 'L'];

/** Returns the lines as rows, grouped by box in the form's order. Within a box, lines keep their order. */
export function formRows(lines: readonly Line[], choices: RowChoices = {}): FormRow[] {
  return [...eachRow(lines, choices)];
}

/** Same as `formRows`, one row at a time, so that a million lines are written without keeping all rows in memory. */
export function* eachRow(lines: readonly Line[], choices: RowChoices = {}): Generator<FormRow> {
  const byBox = Map.groupBy(lines, (line) => line.disposal.box);
  for (const box of boxOrder) {
    const group = byBox.get(box) ?? [];
    for (const lines of mergeLines(group, choices)) yield formRow(lines, choices);
  }
}

/** Returns the row for one line, or for several lines from one sale. */
export function formRow(lines: readonly [Line, ...Line[]], choices: RowChoices = {}): FormRow {
  const [{ disposal }] = lines;
  const round = choices.wholeDollars === true ? roundToDollars : (cents: Cents) => cents;
  const sum = (of: (line: Line) => bigint): Cents =>
    round(lines.reduce((total, line) => total + of(line), 0n) as Cents);
  const [proceeds, basis] = [sum((line) => line.disposal.proceeds), sum((line) => line.disposal.basis)];
  const rounded = sum((line) => line.adjustment);
  // If the entire loss is disallowed, the gain stays zero: in whole dollars, (g) absorbs the difference of a dollar
  // that rounding (d) and (e) causes.
  const nothingLeft = rounded !== 0n && lines.every((line) => line.gain === 0n);
  const adjustment = nothingLeft ? ((basis - proceeds) as Cents) : rounded;
  return {
    box: disposal.box,
    term: disposal.term,
    lines,
    description: lines.length === 1 ? describe(disposal) : describe(joinLines(lines)),
    acquired: oneOrVarious(lines.map((line) => acquiredText(line.disposal, choices))),
    sold: formatDayUs(disposal.sold),
    proceeds,
    basis,
    code: lettersOf(lines.map((line) => line.code).join('')),
    adjustment,
    gain: (proceeds - basis + adjustment) as Cents,
    expired: lines.length === 1 ? disposal.expired : null,
    basisUnknown: lines.some((line) => line.disposal.basisUnknown),
  };
}

/**
 * Returns the text for columns (a) to (h). A draft marks a missing basis. On a final form, the taxpayer has accepted
 * zero.
 */
export function formatFormCells(row: FormRow, wholeDollars: boolean, draft = false): FormCells {
  // For a deferral, (c), (d) and (e) stay blank, and for its inclusion (d) and (e), because they would be zero.
  const [isDeferral, isInclusion] = [row.code.includes('Z'), row.code.includes('Y')];
  const amount = (cents: Cents): string => (isDeferral || isInclusion ? '' : printAmount(cents, wholeDollars));
  return [
    row.description,
    row.acquired,
    isDeferral ? '' : row.sold,
    row.expired === 'proceeds' ? 'EXPIRED' : amount(row.proceeds),
    basisText(row, draft, amount),
    row.code,
    adjustmentText(row, wholeDollars),
    printAmount(row.gain, wholeDollars),
  ];
}

function basisText(
  { expired, basis, basisUnknown }: FormRow,
  draft: boolean,
  amount: (cents: Cents) => string,
): string {
  if (expired === 'basis') return 'EXPIRED';
  return draft && basisUnknown ? 'MISSING' : amount(basis);
}

/** Returns the description for column (a): `100 sh. XYZ`, `0.5 BTC`, `10 contr. JJJ 12/19/2025 C 50`. */
export function describe(disposal: Disposal): string {
  if (disposal.description !== null) return disposal.description;
  const quantity = formatQuantity(disposal.quantity);
  switch (disposal.assetClass) {
    case 'stock':
    case 'fund':
    case 'tokenized_security':
      return `${quantity} sh. ${disposal.asset}`;
    case 'option':
    case 'future':
    case 'section_1256':
      return `${quantity} contr. ${withUsDate(disposal.asset)}`;
    case 'bond':
    case 'treasury_bill':
    case 'currency':
    case 'crypto':
    case 'nft':
      return `${quantity} ${disposal.asset}`;
    default:
      return disposal.assetClass satisfies never;
  }
}

function acquiredText(disposal: Disposal, choices: RowChoices): string {
  if (disposal.purchaseUnknown === true) return unknownDate;
  if (disposal.inherited) return 'INHERITED';
  if (disposal.acquiredVarious === true) return 'VARIOUS';
  return formatDayUs(columnB(disposal, choices.columnB ?? choiceDefaults.columnB));
}

/** Returns the day in column (b) for a lot that was not inherited. */
export function columnB(disposal: Disposal, choice: NonNullable<RowChoices['columnB']>): Day {
  const { acquired, heldSince, sold, term } = disposal;
  // A short sale shows the day when the delivered property was acquired, and a written option the day when it was
  // closed or expired. Neither is a holding period (i8949, column (b); Instructions for Schedule D, "Short Sales").
  if (disposal.shortSale || acquired > sold || choice === 'trade') return acquired;
  if (choice === 'held') return heldSince;
  const termByTrade: Term = sold >= longTermOn(acquired) ? 'long' : 'short';
  return termByTrade === term ? acquired : heldSince;
}

/** Formats column (g). With a code but no adjustment, it shows -0- (i8949, column (g), code B and others). */
function adjustmentText(row: FormRow, wholeDollars: boolean): string {
  if (row.adjustment !== 0n) return printAmount(row.adjustment, wholeDollars);
  return row.code === '' ? '' : '-0-';
}

/** Groups lines into rows, ordered by the first line in each row. */
function mergeLines(lines: readonly Line[], choices: RowChoices): Iterable<readonly [Line, ...Line[]]> {
  const { merge = 'none' } = choices;
  if (merge === 'none') return lines.map((line) => [line] as const);
  const groups = new Map<string, [Line, ...Line[]]>();
  for (const line of lines) {
    const { saleId, account, asset, sold, lotId, expired, inherited, shortSale, description } = line.disposal;
    // If a wash sale or a transfer splits a lot, the parts keep the lot's name and add letters.
    const oneRow =
      merge === 'sale'
        ? [saleId]
        : [account, asset, sold, lotId.replace(/[a-z]+$/, ''), acquiredText(line.disposal, choices)];
    const key = [...oneRow, expired, inherited, shortSale, description, line.code].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return groups.values();
}

function joinLines(lines: readonly [Line, ...Line[]]): Disposal {
  const quantity = lines.reduce((total, line) => total + line.disposal.quantity, 0n);
  return disposalWith(lines[0].disposal, { quantity: quantity as Disposal['quantity'] });
}

function oneOrVarious(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  return others.every((text) => text === first) ? first : 'VARIOUS';
}

/** Converts `AAPL 2025-01-17 C 150` to `AAPL 01/17/2025 C 150`. */
function withUsDate(asset: string): string {
  return asset.replace(/\b(\d{4})-(\d{2})-(\d{2})\b/, '$2/$3/$1');
}

/**
 * Replaces `/` with `~` in a fact's id (`transaction/ordinal`), so that responses and files can use it as one path
 * segment.
 */
export function urlSafe(factId: string): string {
  return factId.replaceAll('/', '~');
}

export function toFactId(id: string): string {
  return id.replaceAll('~', '/');
}

/**
 * Encodes an issue's id as base64url for use in a path, because it contains account names, which may contain any
 * character.
 */
export function issueName(factId: string): string {
  return new TextEncoder().encode(factId).toBase64({ alphabet: 'base64url', omitPadding: true });
}
