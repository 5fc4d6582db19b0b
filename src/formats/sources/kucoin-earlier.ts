import { rejections } from '../cells/reasons.ts';
import type { Cells, LayoutText, Outcome, Time } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { checkPairPrice, feeOfEither, readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';
import { byWord, transfers } from '../tables/tables.ts';

/**
 * Reads KuCoin files from 2018 to 2021. Times are UTC+8. The files do not show which coin of a pair the fee was in.
 * KuCoin charges 0.01% to 0.5% of one of them. Layouts with only everyday words in their headers are tried only if
 * the request names the format.
 */
export const earlierTables: readonly LayoutText[] = [
  {
    id: 'fills-2018',
    header: 'oid | symbol | dealPrice | dealValue | amount | fee | direction | createdDate',
    read: fills({ units: 'amount', value: 'dealValue', price: 'dealPrice', time: 'createdDate', id: 'oid' }),
  },
  {
    id: 'fills-2019',
    header: 'uid | symbol | order_type | price | amount_coin | direction | funds | fee | created_at',
    read: fills({ units: 'amount_coin', value: 'funds', price: 'price', time: 'created_at' }),
  },
  {
    id: 'fills-without-fee',
    header: 'uid | symbol | direction | deal_price | amount | deal_value | created_at',
    read: fills({ units: 'amount', value: 'deal_value', price: 'deal_price', time: 'created_at' }),
  },
  {
    id: 'transfers-2018',
    header: 'coin_type | type | add | hash | vol | created_at',
    read: transfers({
      date: inSingapore('created_at'),
      moved: ['coin_type', 'vol'],
      way: byWord('type'),
      wayColumn: 'type',
      id: 'hash',
    }),
  },
  {
    id: 'withdrawals-2021',
    header: 'Time | Coin | Network | Amount | Type | Wallet Address/Account | Remark',
    read: readMove,
  },
  {
    id: 'withdrawals-2019',
    header: 'Time | Coin | Amount | Type | Wallet Address | Remark',
    onlyWhenAsked: true,
    read: readMove,
  },
  { id: 'deposits-2019', header: 'Time | Coin | Amount | Type | Remark', onlyWhenAsked: true, read: readMove },
];

interface FillColumns {
  readonly units: string;
  readonly value: string;
  readonly price: string;
  readonly time: string;
  readonly id?: string;
}

function fills({ units, value, price, time, id = '' }: FillColumns): (cells: Cells) => Outcome {
  return (cells) => {
    const [base, quote] = splitPair(cells, 'symbol') ?? [];
    const [filled, paid] = [readUnits(cells, units, base), readUnits(cells, value, quote)];
    const fee = feeOfEither(cells, 'fee', filled, paid, charged);
    checkPairPrice(cells, price, filled, paid);
    const sides = { base: filled, quote: paid, fee };
    return readPairTrade(cells, inSingapore(time)(cells), 'direction', sides, { externalId: cells.text(id) });
  };
}

/** The minimum and maximum fee, in millionths. */
const charged = { least: 100n, most: 5000n };

/** Reads a deposit or a withdrawal. */
function readMove(cells: Cells): Outcome {
  const direction = byWord('Type')(cells);
  const side = cells.need('Amount', readSide(cells, 'Coin', 'Amount'));
  const time = inSingapore('Time')(cells);
  refuseFeeOfDeposit(cells);
  if (direction === null) return cells.rejected('Type', rejections.neitherDepositNorWithdrawal);
  return readMovement(cells, time, oneWay(direction === 'out', side), { note: cells.text('Remark') });
}

function inSingapore(column: string): (cells: Cells) => Time | null {
  return (cells) => cells.time(column, 'Asia/Singapore');
}

/**
 * Rejects a deposit with a fee. Deposits are free, and the file does not show whether the units received include the
 * fee.
 */
export function refuseFeeOfDeposit(cells: Cells): void {
  if ((cells.roundedQuantity('Fee') ?? 0n) !== 0n)
    cells.reject('Fee', { ...rejections.feeMayBeIncluded, code: 'money_left' });
}
