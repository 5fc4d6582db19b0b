import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups, type Time } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { cash, derivative, internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readSide } from '../tables/legs.ts';

/**
 * Reads Binance's full statement. It has a row for each leg and fee, which are joined by account and second (dust
 * conversions may run into the next second). Times are UTC. If one second contains several coins on one side, the rows
 * are rejected, because the file does not show how they were exchanged.
 */
export const binanceStatement = coinFormat(
  { id: 'binance-statement', name: 'Binance account statement', source: 'Binance', dates: 'year first' },
  [{ id: 'statement', header: 'UTC_Time | Account | Operation | Coin | Change' }],
  rowsInGroups(
    () => new BinanceStatementReader(),
    (cells, rows) => rows.read(cells),
  ),
);

const legs =
  /^(?:buy|sell|fee|transaction (?:related|buy|spend|sold|revenue|fee)|small assets exchange bnb|binance convert|eth 2\.0 staking|large otc trading|token swap.*)$/;

const kinds: Kinds = [
  ['deposit', 'deposit'],
  [/^withdraw(?:al)?$/, 'withdrawal'],
  [/^fiat (?:deposit|withdraw)/, cash],
  [/^(?:funding fee|realized profit and loss|insurance fund)/, derivative],
  [/(?:purchase|redemption|subscription)$|^transfer |^main and funding|transfer$/, internal],
  [/interest/, 'interest'],
  [/staking rewards|locked rewards/, 'staking'],
  [/rewards?|kickback|voucher|commission|referral|cashback/, 'reward'],
  [/airdrop|distribution/, 'airdrop'],
  ['buy crypto', { refuse: rejections.pricePaidMissing }],
];

/** An order can be filled in hundreds of parts. More legs than this in one second belong to several orders. */
const legsMax = 5000;
const second = 1_000_000;

class BinanceStatementReader {
  private group: LedgerLeg[] = [];
  private at = 0;
  private account = '';

  read(cells: Cells): readonly Outcome[] {
    const side = readSide(cells, 'Coin', 'Change');
    const time = cells.time('UTC_Time');
    const operation = cells.text('Operation').toLowerCase();
    if (cells.flawed || time === null) return [cells.refused()];
    if (side === null) return [cells.rejected('Change', rejections.requiredHere)];
    const out = cells.text('Change').startsWith('-');
    if (legs.test(operation)) return this.join({ cells, side, out, isFee: /fee$/.test(operation) }, time);
    const kind = readRowKind(cells, 'Operation', kinds);
    if (typeof kind !== 'string') return [kind];
    const change = { side, sign: out ? 'out' : 'in', kind } as const;
    return [readCoinChange(cells, time, 'Change', change, { note: cells.text('Remark') })];
  }

  end(): readonly Outcome[] {
    const { group } = this;
    this.group = [];
    return exchangeOfLegs(group, group[0]?.cells.time('UTC_Time') ?? null, 'Operation');
  }

  private join(leg: LedgerLeg, time: Time): readonly Outcome[] {
    const at = time.at ?? 0;
    const account = leg.cells.text('Account');
    const same =
      account === this.account && (at === this.at || (isHalf(this.group) && Math.abs(at - this.at) <= second));
    const done = same && this.group.length < legsMax ? [] : this.end();
    this.group.push(leg);
    [this.at, this.account] = [at, account];
    return done;
  }
}

/** Returns whether the group has only sent or only received legs. */
function isHalf(group: readonly LedgerLeg[]): boolean {
  const sides = group.filter((leg) => !leg.isFee);
  return sides.every((leg) => leg.out) || sides.every((leg) => !leg.out);
}
