import { resolveAssetClass } from '../../../engine/events/classes.ts';
import { listAssetKeys, listAssetLinks, toAssetKey } from '../../../engine/events/keys.ts';
import { findDifferingNames, renameToBookNames } from '../../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules, Statement } from '../../../engine/model.ts';
import { type ExtraMember, extraMembers } from '../../../engine/statement-members.ts';
import { unstated } from '../../../engine/unstated.ts';
import { lotsText } from '../rows/statement-sql.ts';

/** A statement with all its stored values except the id, which depends on the rest of its file. */
export interface Prepared {
  /** With the names in the books. */
  readonly statement: Statement;
  /** The names that the row states, as JSON, if the books have others. */
  readonly statedNames: string | null;
  /** The class resolved from the statement, its account and its source. */
  readonly assetClass: AssetClass;
  /** The class of the source, so that a changed election can resolve the class again. */
  readonly sourceClass: AssetClass | null;
  /** The zone stated in the import; null if the taxpayer's applies. */
  readonly timeZone: string | null;
  readonly line: number;
  /** The number of lines it was made from; 0 if its line already made another row. */
  readonly lines: number;
  /** SHA-256 of the row's content, in hex. */
  readonly fingerprint: string;
  /**
   * The fingerprint under the row's previous account, from before its file was known to contain one. Null: the same
   * account.
   */
  readonly earlier: string | null;
  /** The book of its own asset first, then the others it affects. */
  readonly keys: readonly string[];
  /** Pairs of keys that it joins, as JSON; null for none. */
  readonly links: string | null;
  readonly digits: TradeDigits;
  /** Whether it has only the members that every trade has, as nearly every row does. */
  readonly isTradeOnly: boolean;
}

/**
 * The integers that quantity, amount and fee are stored as. Written once, because both the fingerprint and the column
 * need them.
 */
interface TradeDigits {
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly fee: string | null;
}

export interface Preparation extends ClassRules {
  readonly sourceClass: AssetClass | null;
  readonly timeZone: string | null;
  /** Defaults to one. */
  readonly lines?: number;
  /** The row's account in earlier versions, if different. */
  readonly earlierAccount?: string | undefined;
}

/** Resolves everything the row leaves open. The account is already set. */
export function prepare(stated: Statement, line: number, context: Preparation): Prepared {
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
 * Returns the key that the row means by itself, under the name that it states. The other assets of its account and the
 * names in the books can change, so they are not included.
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
 * Returns the books that it affects and the ones that it joins. Nearly every row affects only the book of its asset.
 */
function computeBookKeys(
  statement: Statement,
  assetClass: AssetClass,
  ownKey: string,
): Pick<Prepared, 'keys' | 'links'> {
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
 * Returns the fingerprint of a row: everything it states except its note and its line. A time is included itself, not
 * the day it falls on in the taxpayer's zone. The asset is included with its resolved namespace, so a file that states
 * classes and one that omits them give the same row.
 */
export function computeRowFingerprint(statement: Statement, ownKey: string): string {
  return sha256(formatMeaning(statement, ownKey, toTradeDigits(statement), isTradeOnly(statement)));
}

/** Built as one text instead of a list of words: this takes a tenth of the time for reading a file. */
function formatMeaning(s: Statement, ownKey: string, digits: TradeDigits, tradeOnly: boolean): string {
  const { quantity, amount, fee } = digits;
  const moment = s.at === null ? `${s.on}` : `"${s.at}"`;
  const trade = `"${s.type}",${moment},${quoteName(s.account)},${quoteName(ownKey)},${quantity ?? ''},${amount ?? ''},${fee ?? ''},${quoteName(s.currency)}`;
  const extras = tradeOnly ? noExtras : formatExtras(s);
  return `${trade},${extras},${quoteValue(s.externalId)}`;
}

function formatExtras(s: Omit<Statement, 'type' | 'at' | 'on'>): string {
  const words = identifyingMembers.map((name) => wordOfMember(s, name));
  // A row without any of the members that were added later keeps its fingerprint.
  while (words.length > extrasAtFirst && words.at(-1) === notStated) words.pop();
  return words.join(',');
}

function wordOfMember(s: Pick<Statement, ExtraMember>, name: ExtraMember): string {
  if (name === 'lots') return quoteValue(lotsText(s.lots));
  if (name === 'ratio') return quoteValue(s.ratio === null ? null : `${s.ratio.numerator}:${s.ratio.denominator}`);
  return quoteValue(s[name]);
}

/** Whether the row has none of the members that `formatExtras` writes, as nearly every row. */
function isTradeOnly(s: Statement): boolean {
  for (const name of extraMembers) if (s[name] !== unstated[name] && !isEmptyList(s[name])) return false;
  return true;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function sha256(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}

/** Like `quoteValue`, for text that many rows share. */
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

/** Text that JSON writes unchanged. */
const simple = /^[\w :.+/-]*$/;

/** Quotes text as in JSON, so that different rows never give the same text. */
function quoteValue(value: string | number | bigint | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  return simple.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** A later file may state another gain for the same sale, so the gain does not identify a row. */
const identifyingMembers = extraMembers.filter((name) => name !== 'statedGain');

/** The number of extra members in every fingerprint. Members added later are included only if they have a value. */
const extrasAtFirst = identifyingMembers.indexOf('term') + 1;
const notStated = quoteValue(null);

/** The result of `formatExtras` for a row without extra members. */
const noExtras = formatExtras(unstated);
