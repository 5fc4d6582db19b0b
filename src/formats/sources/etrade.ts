import { noneIfZero } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Outcome } from '../reader.ts';
import { type ActivityRow, activity, stateAction } from '../tables/account-activity.ts';
import { rejectSpinoff } from '../tables/brokers.ts';
import type { ActionKind, ActionRow } from '../tables/corporate-actions.ts';
import { cash, cashFee } from '../tables/kinds.ts';

/**
 * Reads both generations of E*TRADE transactions. Dates have no time and two-digit years, the amount is net and signed,
 * and `--` means empty.
 */
export const etrade = brokerFormat(
  { id: 'etrade', name: 'E*TRADE transactions', source: 'E*TRADE' },
  [
    {
      id: '2026',
      header: `Activity/Trade Date | Activity Type | Description | Symbol | Quantity # | Price $ | Amount $ |
        Commission`,
    },
    {
      id: 'older',
      header: 'TransactionDate | TransactionType | SecurityType | Symbol | Quantity | Amount | Price | Commission',
    },
  ],
  activity({
    columns: {
      time: 'Activity/Trade Date | TransactionDate',
      kind: 'Activity Type | TransactionType',
      asset: 'Symbol',
      name: 'Description',
      quantity: 'Quantity # | Quantity',
      price: 'Price $ | Price',
      amount: 'Amount $ | Amount',
    },
    fees: ['Commission'],
    asOf: ['Description'],
    describes: ['Description', 'SecurityType'],
    deliveries: 'any',
    unknown: rejections.unknownActivity,
    findsCusips: true,
    asset: readSymbol,
    // E*TRADE reports the opening of a written option as a short sale, and its closing as a cover.
    optionType: (_row, type) => (type === 'short_sell' ? 'sell_to_open' : type === 'cover' ? 'buy_to_close' : type),
    action: statePlainAction,
    kinds: [
      // Actions with separate rows for the shares removed and for the shares or cash received.
      [/^reverse (?:stock )?split$/, { action: 'split' }],
      [/^(?:name|symbol|cusip) change$/, { action: 'rename' }],
      ['stock merger', { action: 'exchange' }],
      ['cash merger', { action: 'payout' }],
      [/^(?:stock )?spin-? ?off$/, readSpinoff],
      ['bought to open', 'buy_to_open'],
      ['sold to close', 'sell_to_close'],
      ['sold to open', 'sell_to_open'],
      ['bought to close', 'buy_to_close'],
      ['sold short', 'short_sell'],
      ['bought to cover', 'cover'],
      [/^option expir|^expired/, 'expire'],
      [/^option assign|^assigned/, 'assign'],
      [/^option exercise|^exercised/, 'exercise'],
      [/^bought$|^reinvestment$|^dividend reinvest/, 'buy'],
      [/^sold$|^(?:full )?redemption|^redeemed|^matur|^(?:full|bond) call/, 'sell'],
      [/^(?:stock|split) dividend$|^stock split$/, readSplit],
      [
        /^(?:(?:qualified|non-?qualified|ordinary|cash|special|foreign|money market) )?dividends?$/,
        (row) =>
          row.readIncome(longTermGain.test(row.cells.text('Description')) ? 'capital_gain_distribution' : 'dividend'),
      ],
      [/^(?:payment|pay) in lieu(?: of dividends?)?$|^substitute (?:payment|dividend)s?$/, 'other_income'],
      [
        /^(?:lt|long[- ]term) cap(?:ital)? gains?(?: distributions?)?$|^capital gains?(?: distributions?)?$/,
        'capital_gain_distribution',
      ],
      [/^(?:st|short[- ]term) cap(?:ital)? gains?(?: distributions?)?$/, 'dividend'],
      [/^margin interest$|^interest (?:charged|paid|expense)$/, cashFee],
      [
        /^(?:(?:bond|bank|credit|cd|muni(?:cipal)?|treasury|extended insurance sweep deposit account) )?interest(?: income| received| earned)?$/,
        'interest',
      ],
      [/^(?:tax withh(?:olding|eld)?|foreign tax(?: paid| withheld)?|nra tax(?: withheld)?)$/, 'withholding'],
      [
        /^(?:online transfer|transfer|wire|ach|direct (?:deposit|debit)|funds|check|bill payment|deposit|withdrawal|contribution)/,
        cash,
      ],
      [/fee$|^fee|^adr /, cashFee],
    ],
  }),
);

/** Matches a fund's long-term capital gain that is booked as a dividend. */
const longTermGain = /\b(?:lt|long[- ]term) (?:cap(?:ital)? )?gains?\b/i;

function readSymbol(cells: Cells): string {
  return cells.text('Symbol').replace(/^--$/, '').toUpperCase();
}

function statePlainAction(row: ActivityRow, kind: ActionKind): ActionRow {
  const asset = row.symbol || row.cells.text('Cusip').toUpperCase();
  return stateAction(row, kind, { asset, quantity: noneIfZero(row.quantity), net: noneIfZero(row.net) });
}

function readSpinoff({ cells, columns, symbol, quantity }: ActivityRow): Outcome {
  return rejectSpinoff(cells, columns.kind, { asset: symbol, quantity: noneIfZero(quantity) });
}

function readSplit(row: ActivityRow): Outcome {
  row.needAsset();
  return row.readSplit();
}
