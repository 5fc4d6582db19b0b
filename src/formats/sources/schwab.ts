import { lastDayOf, yearOf } from '../../base/day.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Outcome, type Time } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { sharesMoved } from '../tables/brokers.ts';
import { findKind } from '../tables/kinds.ts';

/**
 * Reads all generations of Charles Schwab brokerage transactions, newest first. Dates have no time, the amount is net
 * and signed, and the quantity is usually unsigned. `01/20/2024 as of 01/19/2024` takes effect on the second date.
 */
export const schwab = brokerFormat(
  { id: 'schwab', name: 'Schwab brokerage transactions', source: 'Schwab' },
  [
    {
      id: 'brokerage',
      price: 'Price',
      results: { totals: [{ column: 'Date', says: /^transactions total/i, sums: ['Amount'] }] },
      header: 'Date | Action | Symbol | Description | Quantity | Price | Fees & Comm | Amount',
    },
  ],
  activity({
    columns: {
      ...{ time: 'Date', kind: 'Action', asset: 'Symbol', name: 'Description' },
      ...{ quantity: 'Quantity', price: 'Price', amount: 'Amount' },
    },
    fees: ['Fees & Comm'],
    asOf: ['Description'],
    describes: ['Description'],
    skips: [['Date', /^transactions total/i, skips.totalRow]],
    skip: findSkipReason,
    reads: ['time', 'fee'],
    deliveries: 'any',
    time: datePriorYear,
    kinds: [
      // Actions with separate rows for the shares removed and for the shares or cash received.
      ['reverse split', { action: 'split' }],
      [/^(?:name|cusip|symbol) change$|^conversion$/, { action: 'rename' }],
      [/^(?:cash ?[/&]? ?)?stock merger(?: adj)?$|^mandatory reorg exc(?:hange)?$/, { action: 'exchange' }],
      [/^(?:cash merger|full redemption)(?: adj)?$/, { action: 'payout' }],
      [/^(?:buy|reinvest shares)$/, 'buy'],
      ['sell', 'sell'],
      ['sell short', 'short_sell'],
      [/^(?:buy to cover|cover short)$/, 'cover'],
      ['buy to open', 'buy_to_open'],
      ['buy to close', 'buy_to_close'],
      ['sell to open', 'sell_to_open'],
      ['sell to close', 'sell_to_close'],
      ['expired', 'expire'],
      ['assigned', 'assign'],
      ['exchange or exercise', 'exercise'],
      [/^(?:pr yr )?(?:long term cap gain|lt c\/?g)(?: rein(?:vest)?)?(?: adj)?$/, 'capital_gain_distribution'],
      // A short-term gain distributed by a fund is an ordinary dividend (Pub. 550, "Capital Gain Distributions").
      [/^(?:pr yr )?(?:short term cap gain|st c\/?g)(?: rein(?:vest)?)?(?: adj)?$/, 'dividend'],
      [/^(?:pr yr )?return of capital(?: rein(?:vest)?)?(?: adj)?$/, 'return_of_capital'],
      [
        /^(?:(?:bond|bank|credit|cd|muni(?:cipal)?(?: bond)?|treasury|money market) )?(?:interest|int)(?: adj)?$/,
        'interest',
      ],
      [
        /^(?:pr yr )?(?:spec(?:ial)? )?(?:(?:cash|qual(?:ified)?|non[- ]?qual(?:ified)?) )?div(?:idend)?(?: rein(?:vest)?)?(?: adj(?:ustment)?)?$/,
        'dividend',
      ],
      [/^(?:pr yr )?reinvest dividend$/, 'dividend'],
      [/^promotional award/, 'other_income'],
      [/^(?:nra tax adj|nra withholding|foreign tax)/, 'withholding'],
      [/^(?:journaled shares|journal|security transfer|internal transfer|stock plan activity)/, moveShares],
      [/^stock (?:split|div dist|dividend)$/, 'split'],
      [/^(?:stock )?spin-? ?off(?: shares?)?$/, 'spinoff'],
      [/^cash in lieu/, { refuse: rejections.fractionMissing }],
    ],
  }),
);

/**
 * Dates a dividend that a fund declared in the last months of a year and paid in January. It counts for the earlier
 * year (IRC 852(b)(7)).
 */
function datePriorYear({ effectiveTime: time, word }: ActivityRow): Time | null {
  return time === null || !word.startsWith('pr yr') ? time : { at: null, on: lastDayOf(yearOf(time.on) - 1) };
}

const skippedActions: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:moneylink|wire|funds|journal|internal transfer|security transfer|atm|visa|check|ach|bank transfer|auto s1)/,
    skips.cashMoved,
  ],
  [/^(?:futures mm sweep|bank sweep)$/, skips.ownCashTransfer],
  [/^(?:adr mgmt fee|advisor fee|service fee|margin interest|foreign custody)/, skips.cashFeePaid],
];

/** Returns why a row has only cash. A journal or transfer with a quantity moves shares. */
function findSkipReason({ word, net, quantity }: ActivityRow): string | null {
  const reason = findKind(word, skippedActions);
  if (reason !== undefined && (quantity === null || !/journal|transfer/.test(word))) return reason;
  return word === 'misc cash entry' && (net ?? 0n) <= 0n ? skips.cashFeePaid : null;
}

/** Reads shares transferred without money. Their cost has to come from another file. */
function moveShares(row: ActivityRow): Outcome {
  const asset = row.needAsset();
  const quantity = row.cells.need(row.columns.quantity, row.quantity);
  return row.cells.read(row.time, { ...sharesMoved(quantity), asset });
}
