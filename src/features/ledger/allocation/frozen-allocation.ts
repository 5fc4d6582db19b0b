import { dayOf, formatDay, formatInstant, toInstant } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { universalAccount } from '../../../engine/book/own-accounts.ts';
import { urlSafe } from '../../../forms/lines.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { reserveTransactions } from '../../people/plans.ts';
import { selectTaxpayer, type TaxpayerRow } from '../books/books.queries.ts';
import { recompute } from '../recompute/recompute.ts';
import { draftOfMembers, type MemberTexts } from '../transactions/change.ts';
import { toClassRules, toElections } from '../transactions/elections.ts';
import { touch } from '../transactions/rows.ts';
import { prepare } from '../transactions/staging.ts';
import { storeByHand } from '../transactions/store.ts';
import { getToday } from '../transactions/view.ts';
import { type FrozenLot, insertAllocation, selectAllocation } from './allocation.queries.ts';
import { loadPools, type UniversalPool } from './pools.ts';
import {
  type AllocationRule,
  allocateByRule,
  allocateByUnit,
  type Corrections,
  checkShares,
  correctPools,
  hashOf,
  type LotShare,
  poolHash,
} from './shares.ts';

const note = 'Allocated to wallets as of the end of 2024 (Rev. Proc. 2024-28)';

/**
 * Finalizes an allocation. A transfer at the beginning of 2025 moves each share of a lot from the pool to its wallet.
 * The caller must hold the taxpayer's lock and provide the transaction.
 */
export async function freezeAllocation(
  deps: Deps,
  sql: Sql,
  taxpayer: Taxpayer,
  requestedRule: AllocationRule | undefined,
  corrections: Corrections,
  booksMadeOn: string | null,
): Promise<void> {
  const row = await selectTaxpayer(sql, taxpayer.id);
  const { rules } = toElections(row.settings, row.time_zone);
  if (rules.digitalAssetScopeBefore2025 !== 'universal') {
    throw invalidMember(
      '',
      'Your lots were already tracked by wallet, so there is no universal pool to allocate (digitalAssetScopeBefore2025).',
    );
  }
  if ((await selectAllocation(sql, taxpayer.id)) !== undefined) {
    throw new Refusal(
      'conflict',
      'The allocation is already final. It is irrevocable (Rev. Proc. 2024-28, section 4.02(6)).',
    );
  }
  const pools = correctPools(await loadPools(sql, taxpayer.id, rules), corrections);
  const rule = requireAllocationRule(requestedRule, corrections);
  const shares = rule === null ? allocateByUnit(pools, corrections) : allocateByRule(pools, rule);
  checkShares(pools, shares);
  const lots = shares.map(frozenLot);
  const at = deps.clock.now();
  const hash = hashOf(lots);
  const transactions = await storeRows(sql, taxpayer, row, shares, at);
  const method = rule === null ? 'unit' : 'rule';
  const firstUses = pools.map(({ firstUse }) => firstUse);
  const frozenOn = getToday(deps, row.time_zone);
  const standing = determineStanding({ method, booksMadeOn, frozenOn, firstUses });
  const statement = formatAllocationStatement(row, pools, lots, { rule, hash, at, frozenOn, standing });
  await insertAllocation(sql, taxpayer.id, {
    hash,
    pool_hash: poolHash(pools),
    method,
    rule,
    lots,
    statement,
    books_made_on: standing.booksMadeOn,
    safe_harbor: standing.safeHarbor,
    standing: standing.detail,
    transactions,
    at,
  });
}

/**
 * Returns the rule, or null if the lots are assigned unit by unit. There is no default, because the allocation is
 * irrevocable.
 */
function requireAllocationRule(
  requestedRule: AllocationRule | undefined,
  { lots }: Corrections,
): AllocationRule | null {
  if (lots.length > 0) return null;
  if (requestedRule !== undefined) return requestedRule;
  const detail = 'Set the rule, or assign the lots unit by unit. A final allocation is irrevocable.';
  throw new Refusal('invalid', detail, { errors: [{ pointer: '/rule', code: 'required', detail }] });
}

async function storeRows(
  sql: Sql,
  taxpayer: Taxpayer,
  row: TaxpayerRow,
  shares: readonly LotShare[],
  at: Date,
): Promise<string[]> {
  const day = dayOf(2025, 1, 1);
  if (day === undefined) throw new Error('January 1, 2025 is not a valid day.');
  const date = formatInstant(toInstant(day, 0, row.time_zone));
  if (shares.length > 0) await reserveTransactions(sql, taxpayer, shares.length);
  const rules = toClassRules(row.settings);
  const touched = new Map<string, typeof day>();
  const ids: string[] = [];
  for (const [line, share] of shares.entries()) {
    const draft = draftOfMembers(toTransferMembers(share, date), row.time_zone);
    // The row stores its time zone, so it stays at the beginning of 2025 even if the taxpayer changes time zones.
    // Because the rows are stored in this order, the books give each share the same cents as this calculation.
    const prepared = prepare(draft, line, { ...rules, sourceClass: null, timeZone: row.time_zone });
    const id = crypto.randomUUID();
    for (const [key, from] of await storeByHand(sql, taxpayer.id, prepared, id, at)) touch(touched, key, from);
    ids.push(id);
  }
  await recompute(sql, taxpayer.id, touched, { sources: 'same' });
  return ids;
}

/** Builds a transfer of this specific lot, so that the lot in the wallet keeps the acquisition date and basis. */
function toTransferMembers({ pool, lot, wallet, quantity, basis }: LotShare, date: string): MemberTexts {
  const { asset, assetClass } = pool;
  const units = formatQuantity(quantity);
  const lots = `${lot.name}:${units}`;
  const acquired = formatDay(lot.acquired);
  const stated = basis === null ? undefined : formatCents(basis);
  const accounts = { account: universalAccount, toAccount: wallet };
  return {
    date,
    type: 'transfer',
    ...accounts,
    asset,
    assetClass,
    quantity: units,
    lots,
    acquired,
    basis: stated,
    note,
  };
}

function frozenLot({ pool, lot, wallet, quantity, basis }: LotShare): FrozenLot {
  return {
    asset: pool.asset,
    lotId: urlSafe(lot.id),
    acquired: formatDay(lot.acquired),
    wallet,
    quantity: formatQuantity(quantity),
    basis: basis === null ? null : formatCents(basis),
  };
}

interface AllocationTerms {
  /** Null if the lots were assigned unit by unit. */
  readonly rule: AllocationRule | null;
  readonly hash: string;
  readonly at: Date;
  /** The date in the taxpayer's time zone. */
  readonly frozenOn: string;
  readonly standing: AllocationStanding;
}

function formatAllocationStatement(
  row: TaxpayerRow,
  pools: readonly UniversalPool[],
  lots: readonly FrozenLot[],
  { rule, hash, at, frozenOn, standing }: AllocationTerms,
): string {
  const how =
    rule === null
      ? 'by specific unit allocation (section 5.02(2)(a))'
      : `by global allocation (section 5.02(2)(b)): ${rulesInWords[rule]}, to wallets and accounts in the order of their names`;
  const wallets = [...new Set(lots.map((lot) => `${lot.asset}\u0000${lot.wallet}`))].map((place) => {
    const [asset = '', wallet = ''] = place.split('\u0000');
    const walletLots = lots.filter((lot) => lot.asset === asset && lot.wallet === wallet);
    return [`${wallet}: ${asset}`, ...walletLots.map(formatLotLine)].join('\n');
  });
  return [
    'Allocation of unused basis of digital assets as of the end of December 31, 2024 (Rev. Proc. 2024-28)',
    `Taxpayer: ${row.taxpayer_name || row.name || '(name not stated)'}`,
    `Units of unused basis were allocated ${how}.`,
    ...wallets,
    `Made on ${at.toISOString().slice(0, 19)}Z. SHA-256 of the lots as canonical JSON: ${hash}`,
    standing.detail,
    ...remarksOn(pools, rule, frozenOn),
    'The allocation is irrevocable (section 4.02(6)).',
  ].join('\n\n');
}

/** Lists the conditions of the revenue procedure that only the taxpayer can verify. */
function remarksOn(pools: readonly UniversalPool[], rule: AllocationRule | null, today: string): string[] {
  if (rule !== null) {
    return [
      'The taxpayer must have described a global allocation in the records before January 1, 2025 (section 5.02(5)(a)).',
    ];
  }
  const used = pools.flatMap(({ asset, firstUse }) =>
    firstUse !== null && firstUse < today ? [`${asset} ${firstUse}`] : [],
  );
  if (used.length === 0) return [];
  return [
    `Section 5.02(4)(a) requires the allocation before the first disposal or transfer after 2024. These assets were disposed of or moved earlier: ${used.join(', ')}.`,
  ];
}

const rulesInWords: Readonly<Record<AllocationRule, string>> = {
  FIFO: 'the units acquired first',
  LIFO: 'the units acquired last first',
  HIFO: 'the units with the highest basis first, and units with equal basis in the order of acquisition',
  LOFO: 'the units with the lowest basis first, and units with equal basis in the order of acquisition',
};

function formatLotLine({ quantity, acquired, basis }: FrozenLot): string {
  return `  ${quantity} units acquired ${acquired}, basis ${basis === null ? 'unknown' : `$${basis}`}`;
}

/**
 * The status of an allocation under the safe harbor of Rev. Proc. 2024-28, based on the date that the taxpayer states.
 */
interface AllocationStanding {
  /** True if the allocation was made in time, based on the taxpayer's statement. */
  readonly safeHarbor: boolean;
  readonly booksMadeOn: string | null;
  readonly detail: string;
}

export interface StandingQuestion {
  readonly method: 'rule' | 'unit';
  /** The date when the taxpayer's own books allocated the units or described the rule. Null if not stated. */
  readonly booksMadeOn: string | null;
  /** The date when the allocation was finalized in Lotbook. */
  readonly frozenOn: string;
  /** The day of the first disposal or transfer of each asset after 2024. Null if there is none. */
  readonly firstUses: readonly (string | null)[];
}

/** Due dates of the 2025 return, without and with an extension, as ISO dates. */
const due = '2026-04-15';
const dueExtended = '2026-10-15';
const ruleWrittenBefore = '2025-01-01';

/**
 * Determines the status. Specific units had to be allocated before the earlier of their first use in 2025 and the due
 * date of the 2025 return (section 5.02(4)). A rule had to be described in the books before 2025, and carried out
 * before the later of these two dates (section 5.02(5)).
 */
export function determineStanding(question: StandingQuestion): AllocationStanding {
  const { method, booksMadeOn, frozenOn } = question;
  const used = question.firstUses.flatMap((day) => (day === null ? [] : [day])).sort();
  if (booksMadeOn !== null && booksMadeOn <= frozenOn) {
    const inTime = method === 'unit' ? unitsInTime(booksMadeOn, used) : ruleInTime(booksMadeOn, frozenOn, used);
    if (inTime) {
      const extended = lastDayOf(method, question) > due ? ' The 2025 return must have been extended.' : '';
      const made = method === 'unit' ? 'allocated the units' : 'described the rule';
      return toStanding(
        true,
        booksMadeOn,
        `As stated, the books ${made} on ${booksMadeOn}, in time (${sectionOf(method)}).${extended}`,
      );
    }
  }
  const hint =
    booksMadeOn === null
      ? ' If your own books did so in time, enter the date as booksMadeOn.'
      : ` The books of ${booksMadeOn} were not in time.`;
  const late = `The allocation finalized on ${frozenOn} is a record and not the safe harbor of section 5.01: ${describeDeadline(method, used)}`;
  return toStanding(false, booksMadeOn, `${late}${hint}`);
}

function unitsInTime(made: string, used: readonly string[]): boolean {
  return made < dueExtended && made < (used[0] ?? dueExtended);
}

function ruleInTime(written: string, frozenOn: string, used: readonly string[]): boolean {
  const last = used[0] ?? dueExtended;
  return written < ruleWrittenBefore && frozenOn < (last > dueExtended ? last : dueExtended);
}

/** Returns the day when the allocation itself was made. */
function lastDayOf(method: 'rule' | 'unit', { booksMadeOn, frozenOn }: StandingQuestion): string {
  return method === 'unit' ? (booksMadeOn ?? frozenOn) : frozenOn;
}

function describeDeadline(method: 'rule' | 'unit', used: readonly string[]): string {
  if (method === 'rule') return 'a rule had to be described in the books before January 1, 2025 (section 5.02(5)(a)).';
  const use = used[0] === undefined ? '' : ` These units were first used on ${used[0]}.`;
  return `units had to be allocated before their first use after 2024, and before the due date of the 2025 return (section 5.02(4)).${use}`;
}

function sectionOf(method: 'rule' | 'unit'): string {
  return method === 'unit' ? 'section 5.02(4)' : 'section 5.02(5)';
}

function toStanding(safeHarbor: boolean, booksMadeOn: string | null, detail: string): AllocationStanding {
  return { safeHarbor, booksMadeOn, detail };
}
