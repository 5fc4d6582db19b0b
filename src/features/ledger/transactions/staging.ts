import { formatDay, formatInstant } from '../../../base/day.ts';
import { moneyText, quantityText } from '../../../base/decimal.ts';
import { ArrayColumn, type ArrayText } from '../../../db/array.ts';
import { GrowingText } from '../../../db/growing-text.ts';
import { resolveAssetClass } from '../../../engine/events/classes.ts';
import { listAssetKeys, listAssetLinks, toAssetKey } from '../../../engine/events/keys.ts';
import { findDifferingNames, renameToBookNames } from '../../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules, Statement } from '../../../engine/model.ts';
import { type ExtraMember, extraMembers } from '../../../engine/statement-members.ts';
import { unstatedMembers } from '../../../engine/unstated-members.ts';
import { derivedColumns, extraColumns, lotsText, type StatementColumn, sqlColumns } from './rows.queries.ts';
import { RowIds } from './rows.ts';

type ColumnName = StatementColumn | keyof typeof derivedColumns | keyof typeof ownColumns;

/** Columns that only staged rows have. */
const ownColumns = {
  line: 'integer',
  lines: 'integer',
  id: 'uuid',
  repeated: 'text[]::boolean',
  earlier: 'text',
} as const;

/** The columns of a staged row. Each is sent as an array of its type. */
export const stagedColumns = [
  ...sqlColumns,
  ...Object.entries({ ...derivedColumns, ...ownColumns }).map(([name, type]) => ({ name, type })),
] as readonly { readonly name: ColumnName; readonly type: string }[];

/** Rows in the form in which they are sent to the database. */
export interface StagedColumns {
  readonly rows: number;
  /** One array per column. Null if all its values are null. */
  readonly columns: Readonly<Record<ColumnName, ArrayText | null>>;
  /** The fingerprints of all rows as one text. Reading them as an array of texts would take several times as long. */
  readonly fingerprints: string;
}

const keysMax = 4;

/** Converts prepared rows to columns, one row at a time, without keeping the rows. */
export class Staging {
  private count = 0;
  private readonly fingerprints = new GrowingText();
  private readonly columns = Object.fromEntries(stagedColumns.map(({ name }) => [name, new ArrayColumn()])) as Record<
    ColumnName,
    ArrayColumn
  >;

  private readonly ids: RowIds | null;

  /** `idKey` is the taxpayer's secret key for row ids. Null if every row is added with its id. */
  constructor(idKey: Uint8Array | null) {
    this.ids = idKey === null ? null : new RowIds(idKey);
  }

  get rows(): number {
    return this.count;
  }

  /** Adds a row. `repeated` means that the file may contain an equal row before this one. */
  add(row: PreparedRow, repeated: boolean, id = this.ids?.computeDigits(row.fingerprint, 1)): void {
    const { columns, count: at } = this;
    const { keys, fingerprint } = row;
    if (id === undefined) throw new Error('A row has no id.');
    if (keys.length > keysMax) throw new Error('A row affects more books than there are columns for.');
    this.fingerprints.add(fingerprint);
    columns.id.plain(at, id);
    this.addTrade(at, row);
    if (!row.isTradeOnly) this.addExtras(at, row.statement);
    columns.source_class.plain(at, row.sourceClass);
    if (row.timeZone !== null) columns.time_zone.name(at, row.timeZone);
    columns.line.plain(at, `${row.line}`);
    if (row.lines !== 1) columns.lines.plain(at, `${row.lines}`);
    columns.asset_key.name(at, keys[0] ?? '');
    if (keys[1] !== undefined) columns.second_key.name(at, keys[1]);
    if (keys[2] !== undefined) columns.third_key.name(at, keys[2]);
    if (keys[3] !== undefined) columns.fourth_key.name(at, keys[3]);
    columns.links.free(at, row.links);
    columns.stated_names.free(at, row.statedNames);
    if (repeated) columns.repeated.plain(at, 't');
    if (row.earlier !== null) columns.earlier.plain(at, row.earlier);
    this.count += 1;
  }

  /** Returns the rows added since the last call. */
  take(): StagedColumns {
    const rows = this.count;
    this.count = 0;
    const arrays = stagedColumns.map(({ name }) => [name, this.columns[name].take(rows)] as const);
    const columns = Object.fromEntries(arrays) as Record<ColumnName, ArrayText | null>;
    return { rows, columns, fingerprints: this.fingerprints.take() };
  }

  private addTrade(at: number, { statement: s, assetClass, digits }: PreparedRow): void {
    const { columns } = this;
    columns.type.plain(at, s.type);
    if (s.at !== null) columns.at.plain(at, formatInstant(s.at));
    columns.on_day.plain(at, formatDay(s.on));
    columns.account.name(at, s.account);
    columns.asset.name(at, s.asset);
    columns.asset_class.plain(at, assetClass);
    columns.stated_class.plain(at, s.assetClass);
    if (digits.quantity !== null) columns.quantity.plain(at, quantityText(digits.quantity));
    if (digits.amount !== null) columns.amount.plain(at, moneyText(digits.amount));
    if (digits.fee !== null) columns.fee.plain(at, moneyText(digits.fee));
    columns.currency.name(at, s.currency);
    columns.external_id.free(at, s.externalId || null);
    columns.note.free(at, s.note || null);
  }

  private addExtras(at: number, statement: Statement): void {
    for (const { name, isNotNull, write } of extraColumns) {
      const text = write(statement);
      if (text === null || text === '') continue;
      if (isNotNull) this.columns[name].free(at, text);
      else this.columns[name].plain(at, text);
    }
  }
}

/** A statement with all values to store except the id, which depends on the rest of the file. */
export interface PreparedRow {
  /** The statement with the names in the books. */
  readonly statement: Statement;
  /** The names in the file as JSON, if the books use other names. */
  readonly statedNames: string | null;
  /** The class resolved from the statement, the account and the source. */
  readonly assetClass: AssetClass;
  /** The class of the source, so that the class can be resolved again if an election changes. */
  readonly sourceClass: AssetClass | null;
  /** The time zone in the import, or null if the taxpayer's time zone applies. */
  readonly timeZone: string | null;
  readonly line: number;
  /** The number of file lines that the row comes from. 0 if its line already counts for another row. */
  readonly lines: number;
  /** The SHA-256 hash of the row's content, in hex. */
  readonly fingerprint: string;
  /**
   * The fingerprint with the account that the row had before its file's account was recognized. Null if the account is
   * the same.
   */
  readonly earlier: string | null;
  /** The keys of the affected books, starting with that of the row's own asset. */
  readonly keys: readonly string[];
  /** Pairs of books that the row links, as JSON, or null if there are none. */
  readonly links: string | null;
  readonly digits: TradeDigits;
  /** Whether the row has only the values that every trade has. This is true for nearly every row. */
  readonly isTradeOnly: boolean;
}

/** The digits of quantity, amount and fee. Converted once, because both the fingerprint and the columns need them. */
type TradeDigits = Readonly<Record<'quantity' | 'amount' | 'fee', string | null>>;

interface Preparation extends ClassRules {
  readonly sourceClass: AssetClass | null;
  readonly timeZone: string | null;
  /** The default is 1. */
  readonly lines?: number;
  /** The row's account in earlier versions, if it is different. */
  readonly earlierAccount?: string | undefined;
}

/** Resolves everything that the row itself does not determine. The account must already be set. */
export function prepare(stated: Statement, line: number, context: Preparation): PreparedRow {
  const statement = renameToBookNames(stated, context.assets);
  const others = findDifferingNames(stated, statement);
  const assetClass = resolveAssetClass(statement, context, context.sourceClass);
  const ownKey = toAssetKey(statement.asset, assetClass);
  const meantKey = computeMeantKey(stated, statement, assetClass, context);
  const [digits, tradeOnly] = [toTradeDigits(statement), isTradeOnly(statement)];
  const { keys, links } = computeBookKeys(statement, assetClass, ownKey);
  const { earlierAccount } = context;
  const before = earlierAccount === undefined ? null : { ...stated, account: earlierAccount };
  return {
    statement,
    statedNames: others === null ? null : JSON.stringify(others),
    assetClass,
    sourceClass: context.sourceClass,
    timeZone: context.timeZone,
    line,
    lines: context.lines ?? 1,
    fingerprint: sha256(formatMeaning(stated, meantKey, digits, tradeOnly)),
    earlier: before === null ? null : sha256(formatMeaning(before, meantKey, digits, tradeOnly)),
    keys,
    links,
    digits,
    isTradeOnly: tradeOnly,
  };
}

/**
 * Returns the asset key that the row itself determines, with the name in its file. Excludes the other assets in the
 * account and the names in the books, because both can change.
 */
function computeMeantKey(
  { asset }: Statement,
  booked: Statement,
  assetClass: AssetClass,
  { tickers, ...context }: Preparation,
): string {
  const isRead = tickers?.[booked.account]?.[booked.asset] !== undefined;
  return toAssetKey(asset, isRead ? resolveAssetClass(booked, context, context.sourceClass) : assetClass);
}

/**
 * Returns the books that a row affects and the books that it links. Nearly every row affects only the book of its
 * asset.
 */
function computeBookKeys(
  statement: Statement,
  assetClass: AssetClass,
  ownKey: string,
): Pick<PreparedRow, 'keys' | 'links'> {
  const { type, receivedAsset, feeAsset } = statement;
  const alone = receivedAsset === '' && feeAsset === '' && assetClass !== 'option';
  if (alone && type !== 'exercise' && type !== 'assign') return { keys: [ownKey], links: null };
  const transaction = { ...statement, assetClass, id: '', line: 0 };
  const links = listAssetLinks(transaction);
  return {
    keys: [ownKey, ...listAssetKeys(transaction).filter((key) => key !== ownKey)],
    links: links.length === 0 ? null : JSON.stringify(links),
  };
}

function toTradeDigits({ quantity, amount, fee }: Statement): TradeDigits {
  return {
    quantity: quantity === null ? null : quantity.toString(),
    amount: amount === null ? null : amount.toString(),
    fee: fee === null ? null : fee.toString(),
  };
}

/**
 * Returns the fingerprint of a row, which covers all its values except note and line. A time is included as such, not
 * as a day in the taxpayer's time zone. The asset is included with its resolved class, so that a row has the same
 * fingerprint in a file that contains classes and in one that does not.
 */
export function computeRowFingerprint(statement: Statement, ownKey: string): string {
  return sha256(formatMeaning(statement, ownKey, toTradeDigits(statement), isTradeOnly(statement)));
}

/**
 * Builds the text that identifies a row. Concatenating it, instead of joining a list of words, takes a tenth of the
 * time when a file is read.
 */
function formatMeaning(s: Statement, ownKey: string, digits: TradeDigits, tradeOnly: boolean): string {
  const { quantity, amount, fee } = digits;
  const moment = s.at === null ? `${s.on}` : `"${s.at}"`;
  const trade = `"${s.type}",${moment},${quoteName(s.account)},${quoteName(ownKey)},${quantity ?? ''},${amount ?? ''},${fee ?? ''},${quoteName(s.currency)}`;
  const extras = tradeOnly ? noExtras : formatExtras(s);
  return `${trade},${extras},${quoteValue(s.externalId)}`;
}

function formatExtras(s: Omit<Statement, 'type' | 'at' | 'on'>): string {
  const words = identifyingMembers.map((name) => wordOfMember(s, name));
  // A row that uses none of the values introduced later keeps its fingerprint.
  while (words.length > extrasAtFirst && words.at(-1) === notStated) words.pop();
  return words.join(',');
}

function wordOfMember(s: Pick<Statement, ExtraMember>, name: ExtraMember): string {
  if (name === 'lots') return quoteValue(lotsText(s.lots));
  if (name === 'ratio') return quoteValue(s.ratio === null ? null : `${s.ratio.numerator}:${s.ratio.denominator}`);
  return quoteValue(s[name]);
}

/** Returns whether the row has none of the values that `formatExtras` writes. This is true for nearly every row. */
function isTradeOnly(s: Statement): boolean {
  for (const name of extraMembers) if (s[name] !== unstatedMembers[name] && !isEmptyList(s[name])) return false;
  return true;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function sha256(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}

/** Quotes text that many rows share, such as names. Caches the result. */
function quoteName(text: string): string {
  let word = names.get(text);
  if (word === undefined) {
    if (names.size >= namesMax) names.clear();
    word = quoteValue(text);
    names.set(text, word);
  }
  return word;
}

const names = new Map<string, string>();
const namesMax = 10_000;

/** Matches text that JSON does not escape. */
const simple = /^[\w :.+/-]*$/;

/** Quotes text as in JSON, so that different rows always produce different texts. */
function quoteValue(value: string | number | bigint | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  return simple.test(value) ? `"${value}"` : JSON.stringify(value);
}

/**
 * The values that identify a row. Excludes the gain, because a later file may contain a different gain for the same
 * sale.
 */
const identifyingMembers = extraMembers.filter((name) => name !== 'statedGain');

/**
 * The number of values that are part of every fingerprint. Values introduced later are included only if they are set.
 */
const extrasAtFirst = identifyingMembers.indexOf('term') + 1;
const notStated = quoteValue(null);

/** The result of `formatExtras` for a row without extra values. */
const noExtras = formatExtras(unstatedMembers);
