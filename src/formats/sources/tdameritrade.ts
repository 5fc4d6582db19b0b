import type { TransactionType } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Outcome } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { cash, cashFee } from '../tables/kinds.ts';
import { OptionPositions, splitTrade } from '../tables/option-positions.ts';

/**
 * Reads TD Ameritrade files from before its merger into Schwab, oldest first. Only the description shows what happened,
 * and the amount is net and signed. Whether an option trade opens or closes follows from earlier trades in the file.
 */
export const tdAmeritrade = brokerFormat(
  { id: 'tdameritrade', name: 'TD Ameritrade transactions', source: 'TD Ameritrade' },
  [
    {
      id: 'transactions',
      header: 'DATE | TRANSACTION ID | DESCRIPTION | QUANTITY | SYMBOL | PRICE | COMMISSION | AMOUNT | REG FEE',
    },
  ],
  activity({
    columns: {
      ...{ time: 'DATE', kind: 'DESCRIPTION', asset: 'SYMBOL' },
      ...{ quantity: 'QUANTITY', price: 'PRICE', amount: 'AMOUNT' },
    },
    fees: ['COMMISSION', 'REG FEE', 'SHORT-TERM RDM FEE', 'FUND REDEMPTION FEE', 'DEFERRED SALES CHARGE'],
    asOf: ['DESCRIPTION'],
    skips: [['DATE', /^\*+END OF FILE/, skips.endOfFile]],
    reads: [],
    deliveries: 'any',
    unknown: rejections.unknownTransaction,
    common: (cells) => ({ externalId: cells.text('TRANSACTION ID') }),
    open: () => new OptionPositions(),
    optionType: (_row, type) => type,
    special: readContracts,
    kinds: [
      [/^mandatory\b/, { refuse: rejections.actionManual }],
      [/^removal of option due to expiration/, 'expire'],
      [/^removal of option due to assignment/, 'assign'],
      [/^removal of option due to exercise/, 'exercise'],
      [/^sold short/, 'short_sell'],
      [/^bought to cover/, 'cover'],
      [/^bought /, 'buy'],
      [/^sold /, 'sell'],
      [/^(?:ordinary|qualified|non-?qualified|special) dividend|dividend \(|^short term (?:capital )?gain/, 'dividend'],
      [/^long term (?:capital )?gain/, 'capital_gain_distribution'],
      [/money market (?:purchase|redemption)/, { skip: skips.cashSweep }],
      [/^margin interest/, cashFee],
      [
        /\b(?:interest (?:adjustment|income|payment|credit)|(?:bond|credit|off-?cycle) interest)\b|^interest\b/,
        'interest',
      ],
      [/^foreign tax|\btax withh|^w-8/, 'withholding'],
      [
        /\belectronic funding\b|^(?:ach|wire|check|journal|transfer|client requested|internal transfer)\b|\bcash alternatives\b/,
        cash,
      ],
      [/\bfees?\b/, cashFee],
    ],
  }),
);

/** Reads a row of an option, which depends on the contracts that are open. */
function readContracts(
  row: ActivityRow,
  type: TransactionType | 'transfer',
  positions: OptionPositions,
): Outcome | null {
  const { cells, option } = row;
  if (type === 'expire' || type === 'assign' || type === 'exercise') {
    const event = row.stateEndOfOption(type);
    if (event === null) return row.rejectOption();
    const { asset = '', quantity = null } = event;
    if (quantity !== null) positions.end(asset, quantity);
    return cells.read(row.time, event);
  }
  const side = type === 'transfer' ? undefined : rowOf(type).side;
  if (option === undefined || side === undefined || type === 'transfer') return null;
  const { quantity = null, amount = null, fee = null, ...stated } = row.stateTrade(type, option);
  const { time } = row;
  if (cells.flawed || quantity === null) return cells.refused();
  const parts = splitTrade(positions.trade(stated.asset ?? '', side, quantity), quantity, { amount, fee });
  return cells.read(time, ...parts.map((part) => ({ ...stated, ...part })));
}
