import type { Sql } from '../../../db/connection.ts';

/** Selects the books that contain coins, with their asset keys. */
export async function selectCoinBooks(sql: Sql, taxpayerId: string) {
  return sql<{ asset_key: string; book: string }[]>`
    select b.asset_key, b.book from books b
    where b.taxpayer_id = ${taxpayerId} and exists (
      select from books c where c.taxpayer_id = b.taxpayer_id and c.book = b.book and c.asset_key like 'coin:%'
    )
    order by b.book, b.asset_key`;
}

/** Selects the first disposal or transfer of each asset after 2024, because the allocation had to be made before it. */
export async function selectFirstUses(sql: Sql, taxpayerId: string, keys: readonly string[]) {
  return sql<{ asset_key: string; day: string }[]>`
    select asset_key, min(on_day) as day from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[]) and on_day >= '2025-01-01'
      and account <> 'UNIVERSAL'
      and type in ('sell', 'trade', 'transfer', 'withdrawal', 'spend', 'fee', 'gift_out', 'donate')
    group by asset_key`;
}

interface AllocationRow {
  readonly frozen_at: string;
  readonly hash: string;
  readonly pool_hash: string;
  readonly method: 'rule' | 'unit';
  readonly rule: string | null;
  readonly lots: readonly FrozenLot[];
  readonly statement: string;
  readonly books_made_on: string | null;
  readonly safe_harbor: boolean;
  readonly standing: string;
  readonly transactions: string[];
}

export interface FrozenLot {
  readonly asset: string;
  readonly lotId: string;
  readonly acquired: string;
  readonly wallet: string;
  readonly quantity: string;
  readonly basis: string | null;
}

export async function selectAllocation(sql: Sql, taxpayerId: string) {
  const [row] = await sql<AllocationRow[]>`
    select to_char(frozen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as frozen_at, hash, pool_hash, method, rule,
      lots, statement, books_made_on, safe_harbor, standing, transactions
    from allocations where taxpayer_id = ${taxpayerId}`;
  return row;
}

export async function insertAllocation(
  sql: Sql,
  taxpayerId: string,
  allocation: Omit<AllocationRow, 'frozen_at'> & { readonly at: Date },
): Promise<void> {
  await sql`
    insert into allocations (taxpayer_id, frozen_at, hash, pool_hash, method, rule, lots, statement, books_made_on,
      safe_harbor, standing, transactions)
    values (${taxpayerId}, ${allocation.at}, ${allocation.hash}, ${allocation.pool_hash}, ${allocation.method}, ${allocation.rule},
      ${sql.json(allocation.lots as never)}, ${allocation.statement}, ${allocation.books_made_on}, ${allocation.safe_harbor},
      ${allocation.standing}, ${allocation.transactions}::uuid[])`;
}
