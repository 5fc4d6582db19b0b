import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, noneIfZero, sum, toFee } from '../cells/amounts.ts';
import { type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import {
  actionTermsMissing,
  brokerNote,
  cashFeePaid,
  cashMoved,
  cashOrSharesUnclear,
  cashSweep,
  fractionMissing,
  noOptionNamed,
  opensOrClosesUnclear,
  requiredHere,
  unknownAction,
} from '../cells/reasons.ts';
import { brokerFormat, type Cells, type FormatFile, type Outcome, rowsInGroups, type StatedFields } from '../reader.ts';
import { accruedElsewhere, asDebt } from '../tables/bonds.ts';
import {
  grossPaid,
  grossReceived,
  optionEvent,
  optionStated,
  rejectIncomplete,
  rejectSpinoff,
  sharesMoved,
} from '../tables/brokers.ts';
import { type ActionKind, type ActionRow, CorporateActions, isCusip } from '../tables/corporate-actions.ts';
import { markDelivered, withDeliveries } from '../tables/deliveries.ts';
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
  (...file) => withDeliveries(rowsInGroups(() => new CorporateActions(), readRow)(...file)),
);

interface FidelityActivity {
  readonly cells: Cells;
  readonly action: string;
  readonly asset: string;
  readonly option: OptionSymbol | undefined;
  readonly quantity: Quantity | null;
  /** Net of all fees. Positive if money was received. */
  readonly amount: Money | null;
  readonly amountColumn: string;
  readonly fee: Money | null;
  readonly accrued: Money | null;
  readonly common: Pick<StatedFields, 'account' | 'currency' | 'assetClass' | 'asset'>;
}

function readRow(cells: Cells, actions: CorporateActions, { columns }: FormatFile): readonly Outcome[] {
  const action = cells.text('Action').toUpperCase();
  if (action === '' && cells.row.cells.slice(1).every((cell) => cell.trim() === '')) return [cells.skip(brokerNote)];
  const paired = actionKinds.find(([pattern]) => pattern.test(action))?.[1];
  const readKind = kinds.find(([pattern]) => pattern.test(action))?.[1];
  if (paired === undefined && readKind === undefined) return [cells.rejected('Action', 'unknown_type', unknownAction)];
  const symbol = cells.text('Symbol').toUpperCase();
  if (sweepFunds.has(symbol) && !/DIVIDEND|INTEREST/.test(action)) return [cells.skip(cashSweep)];
  const amountColumn = columns.pick('Amount ($)', 'Amount');
  const option = readOption(symbol);
  const activity: FidelityActivity = {
    cells,
    action,
    asset: symbol,
    option,
    quantity: noneIfZero(cells.quantity('Quantity')),
    amount: cells.money(amountColumn),
    amountColumn,
    fee: toFee(
      sum(cells.money(columns.pick('Commission ($)', 'Commission')), cells.money(columns.pick('Fees ($)', 'Fees'))),
    ),
    accrued: noneIfZero(cells.money(columns.pick('Accrued Interest ($)', 'Accrued Interest'))),
    common: {
      account: formatAccountName(cells),
      asset: symbol,
      assetClass: isCusip(symbol) ? 'bond' : null,
      currency: cells.text('Currency').toUpperCase() || 'USD',
    },
  };
  if (paired !== undefined) return actions.add(actionRow(activity, paired));
  actions.note(symbol, cells.text('Description'));
  return readKind === undefined ? [] : [readKind(activity)];
}

/** Actions with separate rows for the shares removed and for the shares or cash received. */
const actionKinds: readonly (readonly [RegExp, ActionKind])[] = [
  [/^REVERSE SPLIT\b/, 'split'],
  [/^(?:NAME CHANGED?|(?:CUSIP|SYMBOL) CHANGED?|CONVERSION)\b/, 'rename'],
  [/^MERGER (?:MER )?(?:FROM|TO|PAYOUT)\b(?!.*IN LIEU)/, 'exchange'],
];

/**
 * Reads a row of a corporate action. Money next to incoming or split shares is their value. Money next to shares
 * removed in a merger is cash. Rows of one action share a number (`#REOR M0051311040001`), except for its last digits.
 */
function actionRow(activity: FidelityActivity, kind: ActionKind): ActionRow {
  const { cells, action, quantity, amountColumn, fee } = activity;
  const asset = activity.asset || (/\(([A-Z0-9.]{1,9})\) \([A-Z ]+\)$/.exec(action)?.[1] ?? '');
  const amount = noneIfZero(activity.amount);
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  if (quantity === null) cells.need(amountColumn, amount);
  const isCash = quantity === null || (quantity < 0n && kind === 'exchange' && action.includes(' PAYOUT'));
  if (!isCash && kind === 'exchange' && amount !== null)
    cells.reject('Action', 'incomplete_action', cashOrSharesUnclear);
  const cash = isCash ? grossReceived(amount, fee) : null;
  if (isCash && quantity !== null)
    checkPrice(cells, priceColumn(cells), { side: 'sell', units: magnitude(quantity), gross: cash, fee });
  const { account, currency } = activity.common;
  return {
    cells,
    column: 'Action',
    time: readRowTime(cells),
    kind,
    asset,
    name: cells.text('Description'),
    quantity,
    amount: cash,
    value: isCash ? null : amount,
    fee,
    other: / (?:FROM|TO) ([A-Z0-9]{1,9})\b/.exec(action)?.[1] ?? '',
    reference: /#REOR ?C?(M\d{9})/.exec(action)?.[1] ?? '',
    common: { account: account ?? '', currency: currency ?? 'USD' },
  };
}

/** Names the account. Two accounts may share a name, so the last digits of the number are added. */
function formatAccountName(cells: Cells): string {
  return [cells.text('Account'), cells.text('Account Number').slice(-4)].filter((part) => part !== '').join(' ');
}

const sweepFunds = new Set(['SPAXX', 'FZFXX', 'FDRXX', 'FCASH', 'CORE', '315994103', 'QPIFQ']);

/** Row readers, by the beginning of the action. The first match wins. */
const kinds: readonly (readonly [RegExp, (activity: FidelityActivity) => Outcome])[] = [
  [/^(?:YOU BOUGHT.*)?\bSHORT COVER|^YOU BOUGHT.*\bTO COVER\b/, (activity) => readTrade(activity, 'cover')],
  [/^YOU BOUGHT/, readPurchase],
  [/^YOU SOLD.*SHORT SALE|^SHORT SALE/, (activity) => readTrade(activity, 'short_sell')],
  [/^YOU SOLD/, readSale],
  [/^REINVESTMENT/, (activity) => readTrade(activity, 'buy')],
  [/^DIVIDEND RECEIVED|^DIVIDEND ADJUSTMENT/, (activity) => readIncome(activity, 'dividend')],
  [/^SHORT-TERM CAP GAIN/, (activity) => readIncome(activity, 'dividend')],
  [/^LONG-TERM CAP GAIN/, (activity) => readIncome(activity, 'capital_gain_distribution')],
  [/^INTEREST (?:EARNED|RECEIVED|ADJ|CREDIT|INCOME|SHORT SALE REBATE)/, (activity) => readIncome(activity, 'interest')],
  [/^MUNI EXEMPT INT/, (activity) => readIncome(activity, 'interest', 'tax-exempt interest')],
  [/^RETURN OF CAPITAL/, (activity) => readIncome(activity, 'return_of_capital')],
  [/^(?:FOREIGN TAX|NON-?RESIDENT TAX|NRA TAX|FED(?:ERAL)? TAX)/, withheld],
  [/^(?:EXPIRED|EXPIRATION)/, (activity) => optionEnded(activity, 'expire')],
  [/^ASSIGNED/, (activity) => optionEnded(activity, 'assign')],
  [/^EXERCISED/, (activity) => optionEnded(activity, 'exercise')],
  [/^REDEMPTION PAYOUT/, (activity) => readTrade(activity, 'sell')],
  [/^IN LIEU OF/, ({ cells }) => rejectIncomplete(cells, 'Action', fractionMissing)],
  [/^(?:MERGER|EXCHANGED)/, corporateAction],
  [/^(?:SPIN-? ?OFF|DISTRIBUTION|STOCK (?:SPLIT|DIVIDEND))\b/, readDistribution],
  [/^(?:PURCHASE INTO|REDEMPTION FROM) CORE/, ({ cells }) => cells.skip(cashSweep)],
  [/^(?:TRANSFER|JOURNAL|ROLLOVER|CONVERTED TO|PARTIC|CO CONTR)/, readTransfer],
  [
    /^(?:ELECTRONIC FUNDS|DIRECT (?:DEPOSIT|DEBIT)|CHECK |WIRE|BILL PAYMENT|DEBIT CARD|CASH (?:CONTRIB|ADVANCE|TRANSFER|MANAGEMENT|MGMT)|DEPOSIT|WITHDRAWAL|CONTRIB|NORMAL DISTR|ATM )/,
    readTransfer,
  ],
  [
    /^(?:FEE|MARGIN INTEREST|ADVISOR FEE|SERVICE (?:FEE|CHARGE)|FOREIGN CUSTODY|ADR )/,
    ({ cells }) => cells.skip(cashFeePaid),
  ],
];

function readPurchase(activity: FidelityActivity): Outcome {
  return activity.option === undefined ? readTrade(activity, 'buy') : optionTraded(activity, 'buy');
}

function readSale(activity: FidelityActivity): Outcome {
  return activity.option === undefined ? readTrade(activity, 'sell') : optionTraded(activity, 'sell');
}

function optionTraded(activity: FidelityActivity, side: 'buy' | 'sell'): Outcome {
  const does = /\b(OPEN|CLOS)ING TRANSACTION\b/.exec(activity.action)?.[1];
  if (does !== undefined) return readTrade(activity, `${side}_to_${does === 'OPEN' ? 'open' : 'close'}`);
  return activity.cells.rejected('Action', 'unknown_type', opensOrClosesUnclear);
}

function readTrade(activity: FidelityActivity, type: TransactionType): Outcome {
  const { cells, option, amount, amountColumn, fee, accrued, common } = activity;
  const buys = type.startsWith('buy') || type === 'cover';
  const quantity = cells.need('Quantity', magnitude(activity.quantity));
  const net = cells.need(amountColumn, amount);
  if (activity.asset === '') cells.reject('Symbol', 'missing', requiredHere);
  const stated: StatedFields = {
    ...common,
    ...(option === undefined ? {} : optionStated(option)),
    type,
    quantity,
    amount: buys ? grossPaid(net, fee) : grossReceived(net, fee),
    fee,
  };
  const price = priceColumn(cells);
  const isDelivery = /\b(?:ASSIGNED|EXERCISED)\b/.test(activity.action);
  if (type === 'buy' || type === 'sell') {
    const description = `${activity.action} ${cells.text('Description')}`;
    return markDelivered(
      cells.read(readRowTime(cells), asDebt(cells, { stated, description, price, accrued })),
      isDelivery,
    );
  }
  if (accrued !== null) cells.reject(accruedColumn(cells), 'unknown_type', accruedElsewhere);
  checkPrice(cells, price, { side: buys ? 'buy' : 'sell', units: quantity, gross: stated.amount ?? null, fee });
  return markDelivered(cells.read(readRowTime(cells), stated), isDelivery);
}

function accruedColumn(cells: Cells): string {
  return cells.has('Accrued Interest ($)') ? 'Accrued Interest ($)' : 'Accrued Interest';
}

function readIncome(
  { cells, amount, amountColumn, common }: FidelityActivity,
  type: TransactionType,
  note = '',
): Outcome {
  return cells.read(readRowTime(cells), { ...common, type, amount: cells.need(amountColumn, amount), note });
}

function withheld({ cells, amount, amountColumn, common }: FidelityActivity): Outcome {
  return cells.read(readRowTime(cells), {
    ...common,
    type: 'withholding',
    amount: cells.need(amountColumn, negateAmount(amount)),
  });
}

function optionEnded(
  { cells, option, quantity, amount, fee, common }: FidelityActivity,
  type: 'expire' | 'assign' | 'exercise',
): Outcome {
  if (option === undefined) return cells.rejected('Symbol', 'bad_option', noOptionNamed);
  return cells.read(readRowTime(cells), {
    ...common,
    ...optionEvent(cells, type, option, cells.need('Quantity', quantity), { cash: amount, fee }),
  });
}

function corporateAction({ cells }: FidelityActivity): Outcome {
  return rejectIncomplete(cells, 'Action', actionTermsMissing);
}

/**
 * Reads shares received without money. In a split, they belong to the same security, and the ratio follows from the
 * shares held.
 */
function readDistribution({ cells, action, asset, quantity, amount, common }: FidelityActivity): Outcome {
  const words = action.replace(/^STOCK |^DISTRIBUTION /, '').trim();
  if (/\bSPIN-? ?OFF\b|\bSPUN\b|\bFROM\b/.test(action)) {
    const parent = /\bFROM:? ?\(? ?([A-Z][A-Z.]{0,5})\b/.exec(action)?.[1] ?? '';
    return rejectSpinoff(cells, 'Action', { asset, quantity, parent });
  }
  const isOfMoney = quantity === null || quantity < 0n || (amount !== null && amount !== 0n);
  if (isOfMoney || !isNamedAfter(words, cells.text('Description').toUpperCase()))
    return rejectIncomplete(cells, 'Action', 'The terms of this distribution are missing');
  return cells.read(readRowTime(cells), { ...common, type: 'split', quantity });
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

function priceColumn(cells: Cells): string {
  return cells.has('Price ($)') ? 'Price ($)' : 'Price';
}

function readTransfer({ cells, asset, quantity, common }: FidelityActivity): Outcome {
  if (asset === '' || quantity === null) return cells.skip(cashMoved);
  return cells.read(readRowTime(cells), { ...common, ...sharesMoved(quantity) });
}

function readRowTime(cells: Cells): ReturnType<Cells['time']> {
  return cells.effectiveTime('Run Date', ['Action', 'Description']);
}
