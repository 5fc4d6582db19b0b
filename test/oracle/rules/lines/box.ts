import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass, Box, Rules, TransactionType } from '../../../../src/engine/model.ts';
import type { OracleLine } from '../../model.ts';
import { yearOfDay } from '../../numbers.ts';
import { isDigital } from '../../state.ts';

/** From when on brokers report the basis of what is bought with them (26 CFR 1.6045-1(a)(15)(i)). */
const coveredFrom: Record<AssetClass, number> = {
  stock: Date.UTC(2011, 0, 1),
  fund: Date.UTC(2012, 0, 1),
  option: Date.UTC(2014, 0, 1),
  bond: Date.UTC(2014, 0, 1),
  crypto: Date.UTC(2026, 0, 1),
  nft: Date.UTC(2026, 0, 1),
  tokenized_security: Date.UTC(2026, 0, 1),
  // On no Form 8949: no box asks.
  future: 0,
  section_1256: 0,
  currency: 0,
};

/** Not what came by gift or inheritance, nor coins that were earned: no broker sold those. */
export function isCovered(type: TransactionType, assetClass: AssetClass, acquired: Day): boolean {
  if (type === 'gift_in' || type === 'inherit') return false;
  // A broker is not to add to the basis what was taxed as wages (1.6045-1(d)(6)(ii)(A)).
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

/** "Box A" to "Box L" of the instructions for Form 8949 (2025), and of 2024 for the years before. */
export function boxOf(line: OracleLine, rules: Rules): Box {
  const short = line.term === 'short';
  if (line.stated !== null) return sameBox(line.stated, short);
  const account = line.onNoForm ? undefined : rules.accounts[line.account];
  const digital = isDigital(line.assetClass) && yearOfDay(line.on) >= 2025;
  const reported = account?.basisReported ?? line.covered;
  // Brokers report sales of digital assets "after 2024" on Form 1099-DA, those that send Form 1099-B for stock, too.
  if (account?.form !== undefined && account.form !== 'none' && digital)
    return reported ? (short ? 'G' : 'J') : short ? 'H' : 'K';
  if (account?.form === '1099-B') return reported ? (short ? 'A' : 'D') : short ? 'B' : 'E';
  if (digital) return short ? 'I' : 'L';
  return short ? 'C' : 'F';
}

/** The row T of the instructions: A for D, B for E, C for F, G for J, H for K, I for L. */
function sameBox(box: Box, short: boolean): Box {
  const at = 'ABCDEFGHIJKL'.indexOf(box);
  const inPart = (at % 6) % 3;
  const digital = at >= 6 ? 6 : 0;
  return 'ABCDEFGHIJKL'[digital + inPart + (short ? 0 : 3)] as Box;
}
