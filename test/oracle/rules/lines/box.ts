import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass, Box, Rules, TransactionType } from '../../../../src/engine/model.ts';
import type { OracleLine } from '../../model.ts';
import { yearOfDay } from '../../numbers.ts';
import { isDigital } from '../../state.ts';

/** The first day from which brokers report the basis of purchases (26 CFR 1.6045-1(a)(15)(i)). */
const coveredFrom: Record<AssetClass, number> = {
  stock: Date.UTC(2011, 0, 1),
  fund: Date.UTC(2012, 0, 1),
  option: Date.UTC(2014, 0, 1),
  bond: Date.UTC(2014, 0, 1),
  // Debt due within a year of its issue is not a covered security ([policy], DECISIONS).
  treasury_bill: Number.POSITIVE_INFINITY,
  crypto: Date.UTC(2026, 0, 1),
  nft: Date.UTC(2026, 0, 1),
  tokenized_security: Date.UTC(2026, 0, 1),
  // The line is not on Form 8949, so there is no box question.
  future: 0,
  section_1256: 0,
  currency: 0,
};

/** Excludes gifts, inheritances and earned coins, because no broker sold them to the taxpayer. */
export function isCovered(type: TransactionType, assetClass: AssetClass, acquired: Day): boolean {
  if (type === 'gift_in' || type === 'inherit') return false;
  // A broker must not add amounts taxed as wages to the basis (1.6045-1(d)(6)(ii)(A)).
  if (type === 'wages') return false;
  if (earned.includes(type)) {
    return !isDigital(assetClass) && acquired * millisecondsPerDay >= coveredFrom.fund;
  }
  return acquired * millisecondsPerDay >= coveredFrom[assetClass];
}

const millisecondsPerDay = 86_400_000;
const earned: readonly TransactionType[] = [
  'dividend',
  'interest',
  'staking',
  'mining',
  'airdrop',
  'reward',
  'wages',
  'other_income',
  'reinvest',
];

/**
 * Returns the box, "Box A" to "Box L" in the instructions for Form 8949 (2025), or a box from the 2024 instructions for
 * earlier years.
 */
export function boxOf(line: OracleLine, rules: Rules): Box {
  const short = line.term === 'short';
  if (line.stated !== null) return sameBox(line.stated, short);
  const reported = rules.accounts[line.account]?.basisReported ?? line.covered;
  const digital = isDigital(line.assetClass) && yearOfDay(line.on) >= 2025;
  if (line.onNoForm || !hasForm(line, rules)) return digital ? (short ? 'I' : 'L') : short ? 'C' : 'F';
  if (digital) return reported ? (short ? 'G' : 'J') : short ? 'H' : 'K';
  return reported ? (short ? 'A' : 'D') : short ? 'B' : 'E';
}

/**
 * Returns true if a form reports the sale. A broker that sends Form 1099-B reports securities on it, and digital assets
 * sold "after 2024" on Form 1099-DA. A broker that sends only Form 1099-DA reports nothing else. Before 2025, a digital
 * asset was on a form only if the taxpayer states so for the account, because no export does (1.6045-1(a)(1), (c)(8),
 * (d)(2)(i)(B)).
 */
function hasForm(line: OracleLine, { accounts, evidence = {} }: Rules): boolean {
  const { lines, source } = evidence[line.account] ?? {};
  const coin = isDigital(line.assetClass);
  const since2025 = yearOfDay(line.on) >= 2025;
  const canBeOn = { '1099-B': true, '1099-DA': coin && since2025, none: false };
  const stated = accounts[line.account]?.form;
  if (stated !== undefined) return canBeOn[stated];
  if (canBeOn[lines ?? 'none']) return true;
  return (!coin || since2025) && canBeOn[source ?? 'none'];
}

/**
 * Returns the box of the same kind for the other term, as in row T of the instructions: A for D, B for E, C for F, G
 * for J, H for K, I for L.
 */
function sameBox(box: Box, short: boolean): Box {
  const at = 'ABCDEFGHIJKL'.indexOf(box);
  const inPart = (at % 6) % 3;
  const digital = at >= 6 ? 6 : 0;
  return 'ABCDEFGHIJKL'[digital + inPart + (short ? 0 : 3)] as Box;
}
