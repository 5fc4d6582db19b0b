import { hash } from 'node:crypto';
import { formatQuantity } from '../../base/decimal.ts';
import { resolveAssetClass } from '../../engine/classes.ts';
import { assetKeyOf, assetKeysOf, linksOf } from '../../engine/keys.ts';
import type { AssetClass, LotChoice, Rules, Statement, Transaction } from '../../engine/model.ts';

/** A statement with all that is stored beside it, except its id: that depends on the rest of its file. */
export interface Prepared {
  readonly statement: Statement & { readonly assetClass: AssetClass };
  /** What the class was resolved from, so that a changed election can resolve it again. */
  readonly statedClass: AssetClass | null;
  readonly sourceClass: AssetClass | null;
  /** The zone that the import stated; null where the taxpayer's applies. */
  readonly timeZone: string | null;
  readonly line: number;
  /** Of how many lines it is made: none where it is the second thing that a line makes. */
  readonly lines: number;
  /** SHA-256 of what the row means, in hex. */
  readonly fingerprint: string;
  /** The book of its own asset first, then the other ones it moves. */
  readonly keys: readonly string[];
  /** Pairs of keys it joins, as JSON; null for none. */
  readonly links: string | null;
}

export interface Preparation {
  readonly accounts: Rules['accounts'];
  readonly sourceClass: AssetClass | null;
  readonly timeZone: string | null;
  /** One where it is left out. */
  readonly lines?: number;
}

/** Resolves what the row leaves open. The account is named already. */
export function prepare(statement: Statement, line: number, context: Preparation): Prepared {
  const election = context.accounts[statement.account]?.assetClass ?? null;
  const assetClass = resolveAssetClass(statement, election, context.sourceClass);
  const transaction: Transaction = { ...statement, assetClass, id: '', line };
  const ownKey = assetKeyOf(statement.asset, assetClass);
  const links = linksOf(transaction);
  return {
    statement: transaction,
    statedClass: statement.assetClass,
    sourceClass: context.sourceClass,
    timeZone: context.timeZone,
    line,
    lines: context.lines ?? 1,
    fingerprint: fingerprintOf(statement, ownKey),
    keys: [ownKey, ...assetKeysOf(transaction).filter((key) => key !== ownKey)],
    links: links.length === 0 ? null : JSON.stringify(links),
  };
}

/**
 * What a row means: all that it states except its note and its line. A time stands for itself, whatever day the
 * taxpayer's zone makes of it; the asset stands with the namespace it was resolved to, so that a file that states
 * classes and one that leaves them out tell the same row.
 */
export function fingerprintOf(statement: Statement, ownKey: string): string {
  const moment = statement.at === null ? statement.on : `${statement.at}`;
  return hash('sha256', meaningOf(moment, statement, ownKey), 'hex');
}

/** Written as one text and not as a list of words: of the time that reading a file takes this is a tenth. */
function meaningOf(moment: string | number, s: Statement, ownKey: string): string {
  const ratio = s.ratio === null ? null : `${s.ratio.numerator}:${s.ratio.denominator}`;
  const trade = `${wordOf(s.type)},${wordOf(moment)},${wordOf(s.account)},${wordOf(ownKey)},${wordOf(s.quantity)},${wordOf(s.amount)},${wordOf(s.fee)},${wordOf(s.currency)}`;
  const given = `${wordOf(s.receivedAsset)},${wordOf(s.receivedQuantity)},${wordOf(s.feeAsset)},${wordOf(s.feeQuantity)},${wordOf(s.feeOwn)},${wordOf(s.toAccount)}`;
  const basis = `${wordOf(s.acquired)},${wordOf(s.basis)},${wordOf(s.fmv)},${wordOf(ratio)},${wordOf(lotsText(s.lots))},${wordOf(s.identifiedAt)}`;
  const rest = `${wordOf(s.shares)},${wordOf(s.underlying)},${wordOf(s.right)},${wordOf(s.box)},${wordOf(s.wash)},${wordOf(s.term)},${wordOf(s.externalId)}`;
  return `${trade},${given},${basis},${rest}`;
}

/** The choices as JSON, '' for none. */
export function lotsText(lots: readonly LotChoice[]): string {
  return lots.length === 0 ? '' : JSON.stringify(lots.map((lot) => [lot.label, formatQuantity(lot.quantity)]));
}

/** The id of the occurrence-th of equal rows: the same in every import that tells it. */
export function idOf(fingerprint: string, occurrence: number): string {
  const digest = idDigits(fingerprint, occurrence);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join('-');
}

/** The id without its hyphens, as the database takes it too. */
export function idDigits(fingerprint: string, occurrence: number): string {
  return hash('sha256', `${fingerprint}#${occurrence}`, 'hex').slice(0, 32);
}

/** What JSON writes as it stands. */
const simple = /^[\w :.+/-]*$/;

/** Texts in quotes as in JSON, so that no two rows read alike. */
function wordOf(value: string | number | bigint | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  return simple.test(value) ? `"${value}"` : JSON.stringify(value);
}
