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
  const resolved = { ...statement, assetClass };
  const transaction: Transaction = { ...resolved, id: '', line };
  const ownKey = assetKeyOf(statement.asset, assetClass);
  const links = linksOf(transaction);
  return {
    statement: resolved,
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
  const s = statement;
  const moment = s.at === null ? s.on : `${s.at}`;
  const meaning = [
    s.type,
    moment,
    s.account,
    ownKey,
    s.quantity,
    s.amount,
    s.fee,
    s.currency,
    s.receivedAsset,
    s.receivedQuantity,
    s.feeAsset,
    s.feeQuantity,
    s.feeOwn,
    s.toAccount,
    s.acquired,
    s.basis,
    s.fmv,
    s.ratio === null ? null : `${s.ratio.numerator}:${s.ratio.denominator}`,
    lotsText(s.lots),
    s.identifiedAt,
    s.shares,
    s.underlying,
    s.right,
    s.box,
    s.wash,
    s.term,
    s.externalId,
  ];
  return hash('sha256', meaning.map(wordOf).join(','), 'hex');
}

/** The choices as JSON, '' for none. */
export function lotsText(lots: readonly LotChoice[]): string {
  return lots.length === 0 ? '' : JSON.stringify(lots.map((lot) => [lot.label, formatQuantity(lot.quantity)]));
}

/** The id of the occurrence-th of equal rows: the same in every import that tells it. */
export function idOf(fingerprint: string, occurrence: number): string {
  const digest = hash('sha256', `${fingerprint}#${occurrence}`, 'hex');
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join('-');
}

/** Texts in quotes, so that no two rows read alike. */
function wordOf(value: string | number | bigint | null): string {
  if (value === null) return '';
  return typeof value === 'string' ? JSON.stringify(value) : value.toString();
}
