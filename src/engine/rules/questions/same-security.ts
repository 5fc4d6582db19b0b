import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import { toAssetKey } from '../../events/keys.ts';
import { toBookName } from '../../events/same-assets.ts';
import { parseSecurityId, type SecurityId } from '../../events/security-ids.ts';
import type { Disposal, Issue, Rules } from '../../model.ts';

/**
 * Two names with one CUSIP or ISIN. Either a name is itself the number, or one of the taxpayer's files states both. No
 * number is looked up elsewhere. Two names in one book are already joined, for example by a rename.
 */
export interface TwoNames {
  readonly name: string;
  /** The name to keep. A ticker takes precedence over a number. */
  readonly sameAs: string;
  readonly number: string;
}

export interface NamedSecurities {
  /** The book that each asset key belongs to. */
  readonly books: ReadonlyMap<string, string>;
  /** The numbers stated in files, each with the asset name in the same row. */
  readonly numbers: readonly { readonly asset: string; readonly number: string }[];
  readonly assets: Rules['assets'];
}

/** Returns the pairs of names that may be one security, in a stable order. */
export function findNamePairs({ books, numbers, assets }: NamedSecurities): TwoNames[] {
  const named = new Map<string, Set<string>>();
  const note = (stated: string, { kind, id }: SecurityId): void => {
    const name = toBookName(stated, assets);
    if (!books.has(toAssetKey(name, 'stock'))) return;
    const number = `${kind} ${id}`;
    named.set(number, (named.get(number) ?? new Set()).add(name));
  };
  for (const key of books.keys()) {
    const id = numberOf(key);
    if (id !== undefined) note(key.slice(securityPrefix.length), id);
  }
  for (const { asset, number } of numbers) {
    const id = parseSecurityId(number);
    if (id !== undefined) note(asset, id);
  }
  const bookOf = (name: string): string | undefined => books.get(toAssetKey(name, 'stock'));
  const pairs = [...named].flatMap(([number, names]) => {
    const [sameAs, ...others] = [...names].sort(compareNames);
    if (sameAs === undefined) return [];
    return others.flatMap((name) => (bookOf(name) === bookOf(sameAs) ? [] : [{ name, sameAs, number }]));
  });
  return pairs.sort((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));
}

/** Returns whether the name of the asset is itself a CUSIP or ISIN. */
export function isNamedByNumber(assetKey: string): boolean {
  return numberOf(assetKey) !== undefined;
}

function numberOf(assetKey: string): SecurityId | undefined {
  return assetKey.startsWith(securityPrefix) ? parseSecurityId(assetKey.slice(securityPrefix.length)) : undefined;
}

const securityPrefix = 'security:';
const kind = 'same_security';

function compareNames(a: string, b: string): number {
  const isNumber = (name: string): number => (parseSecurityId(name) === undefined ? 0 : 1);
  return isNumber(a) - isNumber(b) || a.length - b.length || (a < b ? -1 : 1);
}

function toSortKey({ name, sameAs }: TwoNames): string {
  return JSON.stringify([sameAs, name]);
}

/** The totals of an asset's lines in one account and year. */
export interface NamedYear {
  readonly asset: string;
  readonly account: string;
  /** The day and the sale of the first line. */
  readonly on: Day;
  readonly sale: string;
  /** Both amounts are positive. */
  readonly losses: bigint;
  readonly gains: bigint;
}

export function namedYears(disposals: Iterable<Disposal>): NamedYear[] {
  const years = new Map<string, NamedYear>();
  for (const { asset, account, on, saleId, proceeds, basis } of disposals) {
    const gain = proceeds - basis;
    const key = JSON.stringify([asset, account, yearOf(on)]);
    const known = years.get(key) ?? { asset, account, on, sale: saleId, losses: 0n, gains: 0n };
    const isFirst = on < known.on || (on === known.on && saleId < known.sale);
    years.set(key, {
      ...known,
      ...(isFirst ? { on, sale: saleId } : {}),
      losses: known.losses + (gain < 0n ? -gain : 0n),
      gains: known.gains + (gain > 0n ? gain : 0n),
    });
  }
  return [...years.values()];
}

/**
 * Returns one issue per pair and year. The amounts at stake are the losses that a purchase under the other name may
 * disallow (IRC 1091), and all gains and losses of accounts that have lines under both names, because their lots may
 * differ.
 */
export function sameSecurityIssues(pairs: readonly TwoNames[], lines: readonly NamedYear[]): Issue[] {
  return pairs.flatMap((pair) => {
    const pairLines = lines.filter(({ asset }) => asset === pair.name || asset === pair.sameAs);
    return [...Map.groupBy(pairLines, ({ on }) => yearOf(on)).values()].flatMap((ofYear) => {
      const both = new Set(
        ofYear
          .filter(({ account, asset }) => ofYear.some((one) => one.account === account && one.asset !== asset))
          .map(({ account }) => account),
      );
      const dollars = ofYear.reduce((sum, one) => sum + one.losses + (both.has(one.account) ? one.gains : 0n), 0n);
      const first = ofYear.toSorted((a, b) => a.on - b.on || (a.sale < b.sale ? -1 : 1))[0];
      return dollars === 0n || first === undefined ? [] : [buildSameSecurityIssue(pair, first, dollars as Cents)];
    });
  });
}

/** Parses the two names from the id of an issue. */
export function parseNamesFromIssueId(issueId: string): Pick<TwoNames, 'name' | 'sameAs'> | undefined {
  const [, text] = issueId.split(`/0/${kind}/`);
  if (text === undefined) return undefined;
  const [name = '', sameAs = ''] = JSON.parse(text) as string[];
  return { name, sameAs };
}

function buildSameSecurityIssue({ name, sameAs, number }: TwoNames, first: NamedYear, dollars: Cents): Issue {
  return {
    kind: 'issue',
    causedOn: first.on,
    id: `${first.sale}/0/${kind}/${JSON.stringify([name, sameAs])}`,
    issue: kind,
    on: first.on,
    asset: name,
    account: first.account,
    transactions: [first.sale],
    dollars,
    detail:
      `${name} and ${sameAs} have the same number (${number.toUpperCase()}). One security has one set of lots, and a purchase under one name ` +
      `may disallow a loss under the other: ${formatCents(dollars)} in ${formatDay(first.on).slice(0, 4)}. Select whether they are one security.`,
  };
}
