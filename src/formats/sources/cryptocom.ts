import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude } from '../cells/amounts.ts';
import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups, type StatedFields, type Time } from '../reader.ts';
import { readExchange, readSide, type Side } from '../tables/legs.ts';

/**
 * Reads Crypto.com App files. Times are UTC, and values are in dollars. Some swaps have one or more rows for the assets
 * sent (`…_debited`) and one for the asset received (`…_credited`) in the same second.
 */
export const cryptoCom = coinFormat(
  { id: 'cryptocom', name: 'Crypto.com App', source: 'Crypto.com', zone: 'local' },
  [
    {
      id: 'app',
      header: `Timestamp (UTC) | Transaction Description | Currency | Amount | To Currency | To Amount |
        Native Currency | Native Amount | Native Amount (in USD) | Transaction Kind`,
    },
  ],
  rowsInGroups(
    () => new AppReader(),
    (cells, rows) => rows.read(cells),
  ),
);

interface AppRow {
  readonly cells: Cells;
  readonly time: Time | null;
  readonly kind: string;
  readonly side: Side;
  readonly out: boolean;
  readonly dollars: Money | null;
  readonly common: Partial<StatedFields>;
}

/** The maximum number of dust coins in one second. More rows than this are not a swap, and the limit bounds memory. */
const swapRowsMax = 1000;

class AppReader {
  /** The rows of the current swap, by second and kind. */
  private swap: { key: string; rows: AppRow[] } = { key: '', rows: [] };

  read(cells: Cells): Outcome[] {
    const kind = cells.text('Transaction Kind').toLowerCase();
    const skip = findSkipReason(kind);
    const side = readSide(cells, 'Currency', 'Amount');
    const time = cells.time('Timestamp (UTC)', 'UTC');
    const dollars = magnitude(cells.roundedMoney('Native Amount (in USD)'));
    if (cells.flawed) return [cells.refused()];
    if (skip !== undefined || side === null) return [cells.skip(skip ?? skips.zeroAmount)];
    const common = { externalId: cells.text('Transaction Hash'), note: cells.text('Transaction Description') };
    const app = { cells, time, kind, side, out: cells.text('Amount').startsWith('-'), dollars, common };
    const half = findIncomeType(kind) === undefined ? /^(.+)_(?:credited|debited)$/.exec(kind)?.[1] : undefined;
    if (half === undefined) return [...this.flush(''), single(app)];
    const key = `${cells.text('Timestamp (UTC)')} ${half}`;
    const done = this.flush(key);
    this.swap.rows.push(app);
    return this.swap.rows.length > swapRowsMax ? [...done, ...this.flush('')] : done;
  }

  end(): Outcome[] {
    return this.flush('');
  }

  private flush(next: string): Outcome[] {
    if (next !== '' && next === this.swap.key) return [];
    const { rows } = this.swap;
    this.swap = { key: next, rows: [] };
    const came = rows.filter((row) => !row.out);
    const left = rows.filter((row) => row.out);
    const [credited] = came;
    if (rows.length === 0) return [];
    const total = left.reduce((sum, row) => sum + (row.dollars ?? 0n), 0n);
    if (credited === undefined || came.length !== 1 || left.length === 0 || (left.length > 1 && total === 0n)) {
      return rows.map(({ cells }) => cells.rejected('Transaction Kind', rejections.swapUnclear));
    }
    return [readSwap(credited, left, total)];
  }
}
const skippedKinds: readonly (readonly [RegExp, string])[] = [
  [/^airdrop_locked|^dynamic_coin_swap_bonus_exchange_deposit$|_(?:un)?lock$/, skips.movedWithinCryptoCom],
  [/^(?:viban_deposit|viban_withdrawal|viban_card_top_up|fiat_)/, skips.cashMoved],
];

/** Kinds form families (`supercharger_…`, `invest_…`) that are recognized by their words. */
const families =
  /^(?:supercharger|invest|crypto_earn|lockup|council_node|staking|finance|trading|mco|nft|card|rewards?|campaign|loyalty)[_.]/;
const movesInside =
  /^(?:supercharger|invest|crypto_earn|lockup|council_node|staking|finance)[_.].*(?:deposit|withdraw|lock|upgrade|created|terminated|stake\b|staking\b|subscri|redeem|redemption)/;
const incomeKinds: readonly (readonly [RegExp, TransactionType])[] = [
  [/(?:dpos|staking|mco_stake).*(?:interest|reward)/, 'staking'],
  [/^(?!.*(?:loan|swap)).*interest/, 'interest'],
  [/^airdrop_/, 'airdrop'],
  [
    /reward|cashback|rebate|bonus|referral|reimbursement|campaign|council_node_(?!.*(?:deposit|withdraw))|admin_wallet_credited/,
    'reward',
  ],
];

function findIncomeType(kind: string): TransactionType | undefined {
  return incomeKinds.find(([pattern]) => pattern.test(kind))?.[1];
}

function findSkipReason(kind: string): string | undefined {
  const reason = skippedKinds.find(([pattern]) => pattern.test(kind))?.[1];
  return (
    reason ?? (findIncomeType(kind) === undefined && movesInside.test(kind) ? skips.movedWithinCryptoCom : undefined)
  );
}

function single(app: AppRow): Outcome {
  const { cells, time, kind, side, out, dollars, common } = app;
  const income = findIncomeType(kind);
  if (income !== undefined) {
    // A reversal returns units at their value. They count as disposed of, and the income remains.
    if (out || kind.endsWith('_reverted'))
      return cells.read(time, {
        ...common,
        type: 'spend',
        asset: side.asset,
        quantity: side.quantity,
        amount: dollars,
      });
    return cells.read(time, { ...common, type: income, asset: side.asset, quantity: side.quantity, amount: dollars });
  }
  const other = readSide(cells, 'To Currency', 'To Amount');
  if (
    /^(?:crypto_exchange|viban_purchase|crypto_viban_exchange|van_purchase|crypto_to_van_sell_order|recurring_buy_order)$|_commit$/.test(
      kind,
    ) &&
    other !== null
  ) {
    return readExchange(cells, time, { given: side, received: other, value: dollars }, common);
  }
  const units = { ...common, asset: side.asset, quantity: side.quantity };
  if (/^(?:crypto_purchase|recurring_buy_order|van_purchase)$/.test(kind))
    return cells.read(time, { ...units, type: 'buy', amount: dollars });
  if (isCurrency(side.asset)) return cells.skip(skips.cashMoved);
  if (kind === 'card_top_up') return cells.read(time, { ...units, type: 'sell', amount: dollars });
  if (kind === 'crypto_payment') return cells.read(time, { ...units, type: 'spend', amount: dollars });
  if (
    /^(?:crypto_deposit|crypto_withdrawal|crypto_transfer|crypto_to_exchange_transfer|exchange_to_crypto_transfer)$/.test(
      kind,
    )
  ) {
    return cells.read(time, { ...units, type: out ? 'withdrawal' : 'deposit' });
  }
  if (families.test(kind)) {
    // The units are imported, and the user is asked about their origin or destination.
    cells.warn(`"${kind}" is an unknown type, so it was imported as units ${out ? 'sent' : 'received'}`);
    return cells.read(time, { ...units, type: out ? 'withdrawal' : 'deposit' });
  }
  return cells.rejected('Transaction Kind', rejections.notImported(kind));
}

/** Divides the received units among the sent assets by value. The last asset gets the remainder. */
function readSwap(credited: AppRow, left: readonly AppRow[], total: bigint): Outcome {
  let [units, value] = [credited.side.quantity as bigint, credited.dollars as bigint | null];
  const whole = { units, value };
  const lines = [credited, ...left].map(({ cells }) => cells.line).sort((a, b) => a - b);
  const drafts = left.flatMap((row, index) => {
    const last = index === left.length - 1;
    const share = (of: bigint): bigint => (total === 0n ? of : (of * (row.dollars ?? 0n)) / total);
    const part = {
      units: last ? units : share(whole.units),
      value: whole.value === null ? null : last ? value : share(whole.value),
    };
    units -= part.units;
    value = value === null || part.value === null ? null : value - part.value;
    const received = { asset: credited.side.asset, quantity: part.units as Quantity };
    const outcome = readExchange(
      row.cells,
      row.time,
      { given: row.side, received, value: part.value as Money | null },
      row.common,
    );
    return outcome.kind === 'read' ? [...outcome.drafts] : [];
  });
  return { kind: 'read', lines, drafts };
}
