import { Elysia, t } from 'elysia';
import { formatDay } from '../../../base/day.ts';
import { formatCents, formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { urlSafe } from '../../../forms/lines.ts';
import { parseDayParameter } from '../../../http/errors.ts';
import { group, read, write } from '../../../http/operations.ts';
import { closed, day, dayFormat, money, nullable, oneOf, problems, quantity } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { toElections } from '../transactions/elections.ts';
import { onceInTurn } from '../transactions/store.ts';
import { selectAllocation } from './allocation.queries.ts';
import { freezeAllocation } from './frozen-allocation.ts';
import { allocationDay, loadPools, sumQuantities, type UniversalPool } from './pools.ts';
import { type AllocationRule, allocateByRule, allocationRules, poolHash } from './shares.ts';

const { onBooks } = group('Settings');
const rule = oneOf(allocationRules, 'The units to allocate first. Wallets are filled in the order of their names.');
const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });
const share = { wallet: t.String(), quantity, basis: nullable(money) };
const listMax = 10_000;

const Allocation = closed(
  {
    scope: oneOf(['universal', 'per_wallet'], 'The election. Under `per_wallet`, no allocation is needed.'),
    asOf: day,
    rule: oneOf(allocationRules, 'The rule of the proposal.'),
    assets: t.Array(
      closed({
        asset: t.String(),
        units: quantity,
        wallets: t.Array(closed({ wallet: t.String(), units: quantity }), {
          description: 'The units in each wallet according to its own rows.',
        }),
        difference: t.String({ description: 'Units with basis less units held. Not 0 if records are missing.' }),
        firstUse: nullable(
          t.String({ description: 'The first disposal or transfer after 2024. The allocation had to be made before.' }),
        ),
        lots: t.Array(
          closed({
            lotId: t.String(),
            acquired: day,
            quantity,
            basis: nullable(money),
            wallets: t.Array(closed(share)),
          }),
        ),
      }),
    ),
    frozen: nullable(
      closed({
        at: t.String(),
        hash: t.String({
          description: 'SHA-256 of `lots` as canonical JSON (RFC 8785): object keys sorted by name, no whitespace.',
        }),
        method: oneOf(['rule', 'unit']),
        rule: nullable(t.String()),
        lots: t.Array(closed({ asset: t.String(), lotId: t.String(), acquired: day, ...share })),
        safeHarbor: t.Boolean({
          description:
            'Whether the allocation was made in time for the safe harbor of Rev. Proc. 2024-28, based on the taxpayer’s statement.',
        }),
        booksMadeOn: nullable(day),
        standing: t.String({ description: 'Explains why the allocation is the safe harbor or only a record.' }),
        statement: t.String({ description: 'A statement for the taxpayer’s records.' }),
        transactions: t.Array(t.String(), {
          description: 'The rows that apply the allocation to the books. They cannot be changed.',
        }),
        stale: t.Boolean({ description: 'Whether the records through 2024 have changed since the allocation.' }),
      }),
    ),
  },
  { title: 'Allocation' },
);

const AllocationBody = closed(
  {
    rule: t.Optional(rule),
    booksMadeOn: t.Optional(
      t.String({
        ...dayFormat,
        description:
          'The date when the taxpayer’s own books allocated the units or described the rule. Without this date, the final allocation is only a record and not the safe harbor.',
      }),
    ),
    wallets: t.Optional(
      t.Array(
        closed({
          asset: t.String({ maxLength: 200 }),
          wallet: t.String({ minLength: 1, maxLength: 200 }),
          quantity: number,
        }),
        { maxItems: listMax, description: 'Corrections to the number of units that a wallet held at the end of 2024.' },
      ),
    ),
    lots: t.Optional(
      t.Array(
        closed({
          lotId: t.String({ maxLength: 200 }),
          wallet: t.String({ minLength: 1, maxLength: 200 }),
          quantity: number,
        }),
        {
          maxItems: listMax,
          description:
            'Specific unit allocation: assigns every unit of every lot to a wallet. If omitted, `rule` is required.',
        },
      ),
    ),
  },
  { title: 'NewAllocation', examples: [{ rule: 'FIFO', booksMadeOn: '2024-12-30' }] },
);

/** Defines the routes that allocate the basis of the universal pool to wallets (Rev. Proc. 2024-28). */
export const allocationRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/allocation',
      ({ books, taxpayer, query: parameters }) =>
        books.snapshot((sql) => readAllocation(sql, taxpayer.id, parameters.rule ?? 'FIFO')),
      onBooks('getAllocation', read, {
        summary: 'Get units of unused basis by wallet at the end of 2024',
        description:
          'Returns the allocation that a rule would produce, and the final allocation if there is one (Rev. Proc. 2024-28).',
        query: { rule: t.Optional(rule) },
        response: { 200: Allocation },
      }),
    )
    .post(
      '/allocation',
      (context) => {
        const { caller, taxpayer, body } = context;
        deps.rateLimits.take('work', caller.userId);
        const corrections = { wallets: body.wallets ?? [], lots: body.lots ?? [] };
        const booksMadeOn = parseDayParameter('booksMadeOn', body.booksMadeOn);
        return onceInTurn(deps, context, 201, async (sql) => {
          await freezeAllocation(deps, sql, taxpayer, body.rule, corrections, booksMadeOn);
          return readAllocation(sql, taxpayer.id, body.rule ?? 'FIFO');
        });
      },
      onBooks('createAllocation', write('allocation_made'), {
        summary: 'Finalize the allocation',
        description:
          'Allocates basis by `rule`, or unit by unit with `lots`. One of the two is required. `wallets` corrects the number of units that a wallet held. Every unit with basis must go to a wallet that holds a unit. The allocation is stored with a timestamp and a hash, printed as a statement, and applied to the books at the beginning of 2025. It is irrevocable. An allocation made now is only a record and not the safe harbor, unless `booksMadeOn` states that the taxpayer’s own books made it in time.',
        body: AllocationBody,
        response: { 201: Allocation, ...problems('conflict', 'year_locked') },
      }),
    );

/** Rejects days that match the pattern but do not exist. */
async function readAllocation(sql: Sql, taxpayerId: string, rule: AllocationRule) {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(taxpayer.settings, taxpayer.time_zone);
  const scope = rules.digitalAssetScopeBefore2025;
  const pools = scope === 'universal' ? await loadPools(sql, taxpayerId, rules) : [];
  const row = await selectAllocation(sql, taxpayerId);
  return {
    scope,
    asOf: allocationDay(),
    rule,
    assets: pools.map((pool) => poolView(pool, rule)),
    frozen:
      row === undefined
        ? null
        : {
            at: row.frozen_at,
            hash: row.hash,
            method: row.method,
            rule: row.rule,
            lots: row.lots.map((lot) => ({ ...lot })),
            safeHarbor: row.safe_harbor,
            booksMadeOn: row.books_made_on,
            standing: row.standing,
            statement: row.statement,
            transactions: row.transactions,
            stale: row.pool_hash !== poolHash(pools),
          },
  };
}

function poolView(pool: UniversalPool, rule: AllocationRule) {
  const shares = allocateByRule([pool], rule);
  const held = pool.wallets.reduce((sum, { units }) => sum + units, 0n);
  return {
    asset: pool.asset,
    units: formatQuantity(pool.units),
    wallets: pool.wallets.map(({ wallet, units }) => ({ wallet, units: formatQuantity(units) })),
    difference: formatQuantity((sumQuantities(pool.lots) - held) as Quantity),
    firstUse: pool.firstUse,
    lots: pool.lots.map((lot) => ({
      lotId: urlSafe(lot.id),
      acquired: formatDay(lot.acquired),
      quantity: formatQuantity(lot.quantity),
      basis: lot.basis === null ? null : formatCents(lot.basis),
      wallets: shares
        .filter((one) => one.lot === lot)
        .map(({ wallet, quantity: units, basis }) => ({
          wallet,
          quantity: formatQuantity(units),
          basis: basis === null ? null : formatCents(basis),
        })),
    })),
  };
}
