import { Elysia, t } from 'elysia';
import { formatDay } from '../../base/day.ts';
import { formatCents, formatQuantity, type Quantity } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { urlSafe } from '../../forms/ids.ts';
import { idempotent } from '../../http/idempotency.ts';
import { booksQuery, closed, day, money, nullable, oneOf, problems, quantity } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { selectTaxpayer } from '../books/queries.ts';
import { electionsOf } from '../transactions/elections.ts';
import { inTurn } from '../transactions/turn.ts';
import { type AllocationRule, allocationRules, byRule, poolHash } from './allocate.ts';
import { freezeAllocation } from './freeze.ts';
import { dayOfPool, type Pool, poolsOf, sumOf } from './pools.ts';
import { selectAllocation } from './queries.ts';

const tags = ['Tax'];
const rule = oneOf(allocationRules, 'Which units go first; wallets are filled in the order of their names.');
const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });
const share = { wallet: t.String(), quantity, basis: nullable(money) };
const listMax = 10_000;

const Allocation = closed(
  {
    scope: oneOf(['universal', 'per_wallet'], 'As elected: lots that lay in wallets need no allocation.'),
    asOf: day,
    rule: oneOf(allocationRules, 'That the proposal goes by.'),
    assets: t.Array(
      closed({
        asset: t.String(),
        units: quantity,
        wallets: t.Array(closed({ wallet: t.String(), units: quantity }), {
          description: 'What each holds by its own rows.',
        }),
        difference: t.String({ description: 'Units of basis less units held: not 0 where records are missing.' }),
        firstUse: nullable(
          t.String({ description: 'The first disposal or transfer after 2024: units had to be allocated by then.' }),
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
          description: 'SHA-256 of `lots` as canonical JSON: members by name, no blanks (RFC 8785).',
        }),
        method: oneOf(['rule', 'unit']),
        rule: nullable(t.String()),
        lots: t.Array(closed({ asset: t.String(), lotId: t.String(), acquired: day, ...share })),
        statement: t.String({ description: 'For the records.' }),
        transactions: t.Array(t.String(), {
          description: 'The rows that carry it into the books; they cannot be changed.',
        }),
        stale: t.Boolean({ description: 'The records of the years until 2024 have changed since.' }),
      }),
    ),
  },
  { title: 'Allocation' },
);

const AllocationGiven = closed(
  {
    rule: t.Optional(rule),
    wallets: t.Optional(
      t.Array(
        closed({
          asset: t.String({ maxLength: 200 }),
          wallet: t.String({ minLength: 1, maxLength: 200 }),
          quantity: number,
        }),
        {
          maxItems: listMax,
          description: 'Corrections: how many units a wallet held at the end of 2024.',
        },
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
            'By unit: every unit of every lot, to the wallet that it belongs to. Without it the rule decides, and has to be stated.',
        },
      ),
    ),
  },
  { title: 'AllocationGiven' },
);

/** Rev. Proc. 2024-28: units of basis of the universal pool find their wallets. */
export const allocationRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/allocation',
      ({ taxpayer, query: asked }) =>
        deps.database.asTaxpayer(taxpayer.id, (sql) => readAllocation(sql, taxpayer.id, asked.rule ?? 'FIFO'), {
          snapshot: true,
          readOnly: true,
        }),
      {
        books: true,
        query: booksQuery({ rule: t.Optional(rule) }),
        response: { 200: Allocation, ...problems(400, 404, 422) },
        detail: {
          summary: 'Units of unused basis by wallet at the end of 2024',
          description: 'A proposal by rule, and the frozen allocation where there is one (Rev. Proc. 2024-28).',
          operationId: 'readAllocation',
          tags,
        },
      },
    )
    .post(
      '/allocation',
      (context) => {
        const { caller, taxpayer, body } = context;
        deps.rateLimits.take('work', caller.userId);
        const corrections = { wallets: body.wallets ?? [], lots: body.lots ?? [] };
        return idempotent(deps, context, (saveResponse) =>
          inTurn(deps, taxpayer.id, async (sql) => {
            await freezeAllocation(deps, sql, taxpayer, body.rule, corrections);
            const frozen = await readAllocation(sql, taxpayer.id, body.rule ?? 'FIFO');
            return saveResponse(sql, { status: 201 as const, body: frozen });
          }),
        );
      },
      {
        books: true,
        query: booksQuery({}),
        body: AllocationGiven,
        response: { 201: Allocation, ...problems(403, 404, 409, 422) },
        detail: {
          summary: 'Freeze the allocation',
          description:
            'By `rule`, or unit by unit with `lots`: one of them is required. `wallets` corrects what a wallet held. Every unit of basis goes to a wallet that holds as many. It is kept with its time and hash, printed as a statement, carried into the books at the beginning of 2025, and cannot be made again.',
          operationId: 'freezeAllocation',
          tags,
        },
      },
    );

async function readAllocation(sql: Sql, taxpayerId: string, asked: AllocationRule) {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules } = electionsOf(taxpayer.settings, taxpayer.time_zone);
  const scope = rules.digitalAssetScopeBefore2025;
  const pools = scope === 'universal' ? await poolsOf(sql, taxpayerId, rules) : [];
  const row = await selectAllocation(sql, taxpayerId);
  return {
    scope,
    asOf: dayOfPool(),
    rule: asked,
    assets: pools.map((pool) => poolView(pool, asked)),
    frozen:
      row === undefined
        ? null
        : {
            at: row.frozen_at,
            hash: row.hash,
            method: row.method,
            rule: row.rule,
            lots: row.lots.map((lot) => ({ ...lot })),
            statement: row.statement,
            transactions: row.transactions,
            stale: row.pool_hash !== poolHash(pools),
          },
  };
}

function poolView(pool: Pool, asked: AllocationRule) {
  const shares = byRule([pool], asked);
  const held = pool.wallets.reduce((sum, { units }) => sum + units, 0n);
  return {
    asset: pool.asset,
    units: formatQuantity(pool.units),
    wallets: pool.wallets.map(({ wallet, units }) => ({ wallet, units: formatQuantity(units) })),
    difference: formatQuantity((sumOf(pool.lots) - held) as Quantity),
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
