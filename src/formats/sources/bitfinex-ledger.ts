import type { Conventions } from '../cells/cells.ts';
import { readQuantityRounded } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups, type Time } from '../reader.ts';
import { createBalanceReader } from '../tables/balance-columns.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { derivative, type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readSide, type Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

const conventions: Conventions = { zone: 'UTC', dates: 'day first' };

/**
 * Reads the Bitfinex ledger. Descriptions show what happened (`Exchange 0.5 BTC for USD @ 30000 on wallet exchange`),
 * and there is a row for each leg of a fill and for its fee. Dates have the same format as in other Bitfinex files.
 * Times are UTC.
 */
export const bitfinexLedger = coinFormat(
  {
    id: 'bitfinex-ledger',
    name: 'Bitfinex ledger',
    source: 'Bitfinex',
    asksDateOrder: true,
    dates: 'day first',
    openBalances: createBalanceReader(() => ({
      ...{ time: 'DATE', asset: 'CURRENCY', amount: 'AMOUNT', fee: null, balance: 'BALANCE', conventions },
      part: (cells) => cells.text('WALLET'),
    })),
  },
  [{ id: 'ledger', header: 'DESCRIPTION | CURRENCY | AMOUNT | BALANCE | DATE | WALLET' }],
  rowsInGroups(
    () => new BitfinexLedgerReader(),
    (cells, rows) => rows.read(cells),
  ),
);

const kinds: Kinds = [
  [/on wallet margin$|^position|^settlement|funding (?:cost|charge|fee|event)|^claiming fee/, derivative],
  [/^canceled withdrawal/, { refuse: rejections.reversedWithdrawal }],
  [/withdrawal fee/, 'fee'],
  [/withdrawal #/, 'withdrawal'],
  [/^deposit fee/, 'fee'],
  [/^deposit \(/, 'deposit'],
  [/^(?:margin funding|interest) payment/, 'interest'],
  [/^staking reward/, 'staking'],
  [/^affiliate rebate|^earned fees|^trading rebate/, 'reward'],
  [/^\w+ (?:airdrop|distribution)/, 'airdrop'],
];

const fill = /^exchange -?([\d.e-]+) (\w+) for \w+ @ ([\d.e-]+) on wallet exchange$/;
const fillFee =
  /^trading fees for -?([\d.e-]+) (\w+) (?:\([^)]*\) )?@ ([\d.e-]+) on \w+ \([\d.]+%\) on wallet exchange$/;
const second = 1_000_000;

class BitfinexLedgerReader {
  private readonly fills = new Gatherer<LedgerLeg>((legs) => {
    const traded = legs.find(({ isFee }) => !isFee) ?? legs[0];
    return exchangeOfLegs(legs, traded?.cells.time('DATE') ?? null, 'DESCRIPTION');
  });

  read(cells: Cells): readonly Outcome[] {
    const side = readSide(cells, 'CURRENCY', 'AMOUNT');
    const time = cells.time('DATE');
    const description = cells.text('DESCRIPTION').toLowerCase();
    cells.need('AMOUNT', side);
    if (cells.flawed || side === null || time === null) return [cells.refused()];
    const out = cells.text('AMOUNT').startsWith('-');
    const match = fill.exec(description) ?? fillFee.exec(description);
    if (match !== null) {
      const isFee = description.startsWith('trading');
      return this.fills.add(this.findFillKey(match, time), { cells, side, out, isFee });
    }
    return [readOther(cells, description, time, side, out)];
  }

  end(): readonly Outcome[] {
    return this.fills.end();
  }

  /**
   * Returns a key for the legs and fee of one fill, which have the same units and price and are written within a second
   * of each other.
   */
  private findFillKey([, units = '', coin = '', price = '']: RegExpExecArray, { at, on }: Time): string {
    const what = `${readQuantityRounded(units)} ${coin} ${readQuantityRounded(price)}`;
    if (at === null) return `${what} ${on}`;
    const seconds = Math.floor(at / second);
    const near = [seconds, seconds - 1, seconds + 1].map((one) => `${what} ${one}`);
    return near.find((key) => this.fills.has(key)) ?? `${what} ${seconds}`;
  }
}

function readOther(cells: Cells, description: string, time: Time, side: Side, out: boolean): Outcome {
  if (description.startsWith('transfer of')) return cells.skip(skips.movedWithinPlatform);
  const kind = readRowKind(cells, 'DESCRIPTION', kinds);
  if (typeof kind !== 'string') return kind;
  if (out !== (kind === 'fee' || kind === 'withdrawal'))
    return cells.rejected('AMOUNT', rejections.signAgainstDescription);
  return readMovement(cells, time, { ...oneWay(out, side), kind }, { externalId: cells.text('#') });
}
