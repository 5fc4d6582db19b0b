import { dayOf, formatDay, formatInstant, toInstant } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { universalAccount } from '../../../engine/book/own-accounts.ts';
import { urlSafe } from '../../../forms/ids.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { reserveTransactions } from '../../people/plans/limits.ts';
import { selectTaxpayer, type TaxpayerRow } from '../books/books.queries.ts';
import { recompute } from '../recompute/recompute.ts';
import { draftOfMembers, type MemberTexts } from '../transactions/edit.ts';
import { toClassRules, toElections } from '../transactions/elections.ts';
import { getToday } from '../transactions/read.ts';
import { touch } from '../transactions/rows/touched.ts';
import { prepare } from '../transactions/staged/prepare.ts';
import { storeByHand } from '../transactions/store.ts';
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
import { type AllocationStanding, determineStanding } from './standing.ts';

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
