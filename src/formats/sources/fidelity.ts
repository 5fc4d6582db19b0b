import type { Money } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, noneIfZero, sum, toFee } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Outcome } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { grossReceived, rejectSpinoff } from '../tables/brokers.ts';
import { type ActionKind, type ActionRow, isCusip } from '../tables/corporate-actions.ts';
import { cashFee } from '../tables/kinds.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Reads Fidelity's history of one or all accounts. A free text begins with the action. The amount is net and signed and
 * includes accrued interest. Quantities are usually, but not always, negative for sales.
 */
export const fidelity = brokerFormat(
  { id: 'fidelity', name: 'Fidelity account history', source: 'Fidelity' },
  [
    { id: 'accounts-dollar', header: 'Run Date | Account | Action | Symbol | Quantity | Price ($) | Amount ($)' },
    { id: 'accounts', header: 'Run Date | Account | Action | Symbol | Quantity | Price | Amount' },
    { id: 'account-dollar', header: 'Run Date | Action | Symbol | Quantity | Price ($) | Amount ($)' },
    { id: 'account', header: 'Run Date | Action | Symbol | Quantity | Price | Amount' },
  ],
  activity({
    columns: {
      ...{ time: 'Run Date', kind: 'Action', asset: 'Symbol', name: 'Description', quantity: 'Quantity' },
      ...{ price: 'Price ($) | Price', amount: 'Amount ($) | Amount' },
      accrued: 'Accrued Interest ($) | Accrued Interest',
    },
    asOf: ['Action', 'Description'],
    describes: ['Action', 'Description'],
    readsAlways: ['quantity', 'net', 'fee', 'accrued'],
    deliveries: 'any',
    isDelivery: ({ word }) => /\b(?:assigned|exercised)\b/.test(word),
    isNote: ({ row }) => row.cells.slice(1).every((cell) => cell.trim() === ''),
    skip: ({ symbol, word }, kind) =>
      kind !== undefined && sweepFunds.has(symbol) && !/dividend|interest/.test(word) ? skips.cashSweep : null,
    quantity: (cells) => noneIfZero(cells.quantity('Quantity')),
    fee: readFee,
    optionType: findOptionType,
    action: stateGroupedAction,
    common: (cells) => ({
      account: formatAccountName(cells),
      assetClass: isCusip(cells.text('Symbol').toUpperCase()) ? 'bond' : null,
      currency: cells.text('Currency').toUpperCase() || 'USD',
    }),
    kinds: [
      // Actions with separate rows for the shares removed and for the shares or cash received.
      [/^reverse split\b/, { action: 'split' }],
      [/^(?:name changed?|(?:cusip|symbol) changed?|conversion)\b/, { action: 'rename' }],
      [/^merger (?:mer )?(?:from|to|payout)\b(?!.*in lieu)/, { action: 'exchange' }],
      [/^(?:you bought.*)?\bshort cover|^you bought.*\bto cover\b/, 'cover'],
      [/^you bought/, 'buy'],
      [/^you sold.*short sale|^short sale/, 'short_sell'],
      [/^you sold/, 'sell'],
      [/^reinvestment/, 'buy'],
      [/^dividend received|^dividend adjustment/, 'dividend'],
      [/^short-term cap gain/, 'dividend'],
      [/^long-term cap gain/, 'capital_gain_distribution'],
      [/^interest (?:earned|received|adj|credit|income|short sale rebate)/, 'interest'],
      [/^muni exempt int/, (row) => row.readIncome('interest', { note: 'tax-exempt interest' })],
      [/^return of capital/, 'return_of_capital'],
      [/^(?:foreign tax|non-?resident tax|nra tax|fed(?:eral)? tax)/, 'withholding'],
      [/^(?:expired|expiration)/, 'expire'],
      [/^assigned/, 'assign'],
      [/^exercised/, 'exercise'],
      [/^redemption payout/, 'sell'],
      [/^in lieu of/, { refuse: rejections.fractionMissing }],
      [/^(?:merger|exchanged)/, { refuse: rejections.actionTermsMissing }],
      [/^(?:spin-? ?off|distribution|stock (?:split|dividend))\b/, readDistribution],
      [/^(?:purchase into|redemption from) core/, { skip: skips.cashSweep }],
      [/^(?:transfer|journal|rollover|converted to|partic|co contr)/, 'transfer'],
      [
        /^(?:electronic funds|direct (?:deposit|debit)|check |wire|bill payment|debit card|cash (?:contrib|advance|transfer|management|mgmt)|deposit|withdrawal|contrib|normal distr|atm )/,
        'transfer',
      ],
      [/^(?:fee|margin interest|advisor fee|service (?:fee|charge)|foreign custody|adr )/, cashFee],
    ],
  }),
);

export const sweepFunds = new Set(['SPAXX', 'FZFXX', 'FDRXX', 'FCASH', 'CORE', '315994103', 'QPIFQ']);

/** Names the account. Two accounts may share a name, so the last digits of the number are added. */
function formatAccountName(cells: Cells): string {
  return [cells.text('Account'), cells.text('Account Number').slice(-4)].filter((part) => part !== '').join(' ');
}

/** Adds up commission and fees. One of them may be a rebate, with a minus sign. */
function readFee(cells: Cells): Money | null {
  const columns = ['Commission', 'Fees'].map((name) => (cells.has(`${name} ($)`) ? `${name} ($)` : name));
  return toFee(sum(...columns.map((column) => cells.money(column))));
}

function findOptionType({ word }: ActivityRow, type: TransactionType): TransactionType | null {
  if ((type !== 'buy' && type !== 'sell') || !word.startsWith('you ')) return type;
  const does = /\b(open|clos)ing transaction\b/.exec(word)?.[1];
  return does === undefined ? null : `${type}_to_${does === 'open' ? 'open' : 'close'}`;
}

/**
 * Reads a row of a corporate action. Money next to incoming or split shares is their value. Money next to shares
 * removed in a merger is cash. Rows of one action share a number (`#REOR M0051311040001`), except for its last digits.
 */
function stateGroupedAction(row: ActivityRow, kind: ActionKind): ActionRow {
  const { cells, columns, quantity, fee } = row;
  const action = cells.text('Action').toUpperCase();
  const asset = row.symbol || (/\(([A-Z0-9.]{1,9})\) \([A-Z ]+\)$/.exec(action)?.[1] ?? '');
  const amount = noneIfZero(row.net);
  if (asset === '') cells.reject('Symbol', rejections.requiredHere);
  if (quantity === null) cells.need(columns.amount, amount);
  const isCash = quantity === null || (quantity < 0n && kind === 'exchange' && action.includes(' PAYOUT'));
  if (!isCash && kind === 'exchange' && amount !== null) cells.reject('Action', rejections.cashOrSharesUnclear);
  const cash = isCash ? grossReceived(amount, fee) : null;
  if (isCash && quantity !== null)
    checkPrice(cells, columns.price, { side: 'sell', units: magnitude(quantity), gross: cash, fee });
  const { account = '', currency = 'USD' } = row.common;
  return {
    cells,
    column: 'Action',
    time: row.time,
    kind,
    asset,
    name: cells.text('Description'),
    quantity,
    amount: cash,
    value: isCash ? null : amount,
    fee,
    other: / (?:FROM|TO) ([A-Z0-9]{1,9})\b/.exec(action)?.[1] ?? '',
    reference: /#REOR ?C?(M\d{9})/.exec(action)?.[1] ?? '',
    common: { account, currency },
  };
}

/**
 * Reads shares received without money. In a split, they belong to the same security, and the ratio follows from the
 * shares held.
 */
function readDistribution({ cells, asset, quantity, net, time, common }: ActivityRow): Outcome {
  const action = cells.text('Action').toUpperCase();
  const words = action.replace(/^STOCK |^DISTRIBUTION /, '').trim();
  if (/\bSPIN-? ?OFF\b|\bSPUN\b|\bFROM\b/.test(action)) {
    const parent = /\bFROM:? ?\(? ?([A-Z][A-Z.]{0,5})\b/.exec(action)?.[1] ?? '';
    return rejectSpinoff(cells, 'Action', { asset, quantity, parent });
  }
  const isOfMoney = quantity === null || quantity < 0n || (net !== null && net !== 0n);
  if (isOfMoney || !isNamedAfter(words, cells.text('Description').toUpperCase()))
    return cells.rejected('Action', rejections.distributionTermsMissing);
  return cells.read(time, { ...common, type: 'split', asset, quantity });
}

/** Returns whether the words after `DISTRIBUTION` mean a split, not just the security's name. */
function isNamedAfter(words: string, description: string): boolean {
  const text = words.replace(/^(?:STOCK )?(?:SPLIT|DIVIDEND)\b(?: SHARES)?|^(?:FORWARD SPLIT)\b/, '');
  if (text !== words || description === '' || description === 'NO DESCRIPTION')
    return !/\b(?:RIGHTS?|WARRANTS?|LIQUIDAT|IN KIND)\b/.test(text);
  const [name = ''] = description.split(/\s+/);
  return text.replace(asOfText, '').trimStart().startsWith(name);
}

const asOfText = /^(?:AS[ -]?OF|A\/O):? [A-Z0-9/.,-]+ ?/;
