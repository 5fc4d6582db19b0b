import { magnitude, negateAmount, sum, toFee } from '../cells/amounts.ts';
import { formatOption, type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { checkMultiplier } from '../tables/brokers.ts';
import type { ActionKind, ActionRow, CorporateActions } from '../tables/corporate-actions.ts';
import { cash, cashFee } from '../tables/kinds.ts';

/**
 * Reads tastytrade transactions. Times have an offset, the value is signed and before commissions and fees, and `--`
 * means empty.
 */
export const tastytrade = brokerFormat(
  { id: 'tastytrade', name: 'tastytrade transactions', source: 'tastytrade' },
  [
    {
      id: 'transactions',
      price: 'Average Price',
      results: { rows: [{ result: 'total', column: 'Total', plus: ['Value'], fees: ['Commissions', 'Fees'] }] },
      header: `Date | Type | Sub Type | Action | Symbol | Instrument Type | Value | Quantity | Commissions | Fees |
        Underlying Symbol`,
    },
  ],
  activity({
    columns: { time: 'Date', kind: 'Sub Type', asset: 'Symbol', quantity: 'Quantity', amount: 'Value' },
    asOf: ['Description'],
    reads: [],
    grossAmounts: true,
    deliveries: 'marked',
    isDelivery,
    word: describeRow,
    asset: (cells) => cells.text('Symbol').replace(isCrypto(cells) ? /\/USD$/ : /^$/, ''),
    option: readContract,
    quantity: (cells) => magnitude(cells.quantity('Quantity')),
    net: (cells) => cells.need('Value', cells.money('Value')),
    fee: readFee,
    common: (cells) => ({ assetClass: isCrypto(cells) ? 'crypto' : null }),
    action: stateClosedOrOpened,
    // The words are those of type, sub type, instrument and action: `trade|buy to open|equity|buy_to_open`.
    kinds: [
      // Actions with one row that closes the old position and one that opens the new one, each at its market value.
      [/^receive deliver\|(?:reverse|forward) split\|(?!future)/, { action: 'split' }],
      [/^receive deliver\|symbol change\|(?!future)/, { action: 'rename' }],
      [/^receive deliver\|stock merger\|(?!future)/, { action: 'exchange' }],
      [/^receive deliver\|cash merger\|(?!future)/, { action: 'payout' }],
      [/^receive deliver\|.*\|rounding correction$/, readRounding],
      [/^money movement\|dividend/, 'dividend'],
      [/^money movement\|credit interest/, 'interest'],
      [/^money movement\|(?:fully paid|stock lending)/, 'other_income'],
      [/^money movement\|[^|]*(?:deposit|withdrawal|transfer|mark to market)/, cash],
      [/^money movement\|[^|]*(?:fee|debit interest|balance adjustment)/, cashFee],
      [/^money movement\|/, ({ cells }) => cells.rejected('Sub Type', rejections.unknownCashMovement)],
      [/^(?!(?:trade|receive deliver)\|)/, ({ cells }) => cells.rejected('Type', rejections.unknownType)],
      [/^[^|]*\|[^|]*\|future/, ({ cells }) => cells.rejected('Instrument Type', rejections.futuresAndOptions)],
      [/^[^|]*\|spin-? ?off\|/, 'spinoff'],
      [/^[^|]*\|stock dividend\|equity\|buy_to_open$/, 'split'],
      [
        /^[^|]*\|[^|]*(?:split|change|merger|spin|dividend|conversion|exchange|tender|rights)/,
        { refuse: rejections.actionTermsMissing },
      ],
      [/^[^|]*\|[^|]*expir[^|]*\|equity option\|/, 'expire'],
      [/^[^|]*\|[^|]*assign[^|]*\|equity option\|/, 'assign'],
      [/^[^|]*\|[^|]*exercise[^|]*\|equity option\|/, 'exercise'],
      [/^[^|]*\|[^|]*\|equity option\|buy_to_open$/, 'buy_to_open'],
      [/^[^|]*\|[^|]*\|equity option\|buy_to_close$/, 'buy_to_close'],
      [/^[^|]*\|[^|]*\|equity option\|sell_to_open$/, 'sell_to_open'],
      [/^[^|]*\|[^|]*\|equity option\|sell_to_close$/, 'sell_to_close'],
      [/^[^|]*\|[^|]*\|equity option\|/, rejectContracts],
      [/\|buy(?:_to_open)?$/, 'buy'],
      [/\|sell(?:_to_close)?$/, 'sell'],
      [/\|sell_to_open$/, 'short_sell'],
      [/\|buy_to_close$/, 'cover'],
      [/^/, ({ cells }) => cells.rejected('Action', rejections.unknownAction)],
    ],
  }),
);

function describeRow(cells: Cells): string {
  const words = ['Type', 'Sub Type', 'Instrument Type'].map((column) => cells.text(column).toLowerCase());
  const isRounding = words[0] === 'receive deliver' && /\brounding correction\b/i.test(cells.text('Description'));
  return [...words, actionOf(cells), ...(isRounding ? ['rounding correction'] : [])].join('|');
}

function actionOf(cells: Cells): string {
  return cells.text('Action').toLowerCase().replaceAll(' ', '_');
}

/** Returns whether the row trades a coin. */
function isCrypto(cells: Cells): boolean {
  const isPayment = cells.text('Type').toLowerCase() === 'money movement';
  return !isPayment && cells.text('Instrument Type').toLowerCase().startsWith('crypto');
}

function readContract(cells: Cells): OptionSymbol | undefined {
  const option = readOption(cells.text('Symbol'));
  if (option !== undefined) checkMultiplier(cells, 'Multiplier', option);
  return option;
}

function readFee(cells: Cells): ReturnType<Cells['money']> {
  return toFee(sum(magnitude(cells.roundedMoney('Commissions')), magnitude(cells.roundedMoney('Fees'))));
}

/**
 * Returns whether an option delivered the shares. Newer exports show only the trade: `Receive Deliver`, `Sell to Open`.
 */
function isDelivery({ word }: ActivityRow): boolean {
  if (/^[^|]*\|[^|]*\|equity option\|/.test(word)) return false;
  return /^[^|]*\|[^|]*(?:assign|exercise)|^receive deliver\|(?:buy|sell) to (?:open|close)\|/.test(word);
}

function rejectContracts(row: ActivityRow): Outcome {
  if (row.option === undefined) return row.rejectOption();
  return row.cells.rejected('Action', rejections.opensOrClosesUnclear);
}

function stateClosedOrOpened(row: ActivityRow, kind: ActionKind): ActionRow {
  const { cells } = row;
  const units = cells.need('Quantity', row.quantity);
  const action = actionOf(cells);
  const does =
    /_to_(open|close)$/.exec(action)?.[1] ?? /\b(open|close) /.exec(cells.text('Description').toLowerCase())?.[1];
  if (does === undefined) cells.reject('Action', rejections.opensOrClosesUnclear);
  const option = readOption(cells.text('Symbol'));
  const isOption = cells.text('Instrument Type').toLowerCase() === 'equity option';
  if (isOption && option === undefined) cells.reject('Symbol', rejections.noOptionNamed);
  const asset = option === undefined ? row.needAsset() : formatOption(option);
  const isPaid = kind === 'payout' && does === 'close';
  if (isPaid && action.startsWith('buy')) cells.reject('Action', rejections.shortCostUnclear);
  return {
    cells,
    column: 'Sub Type',
    time: row.time,
    kind,
    asset,
    quantity: units === null || does === 'open' ? units : negateAmount(units),
    ...(isPaid ? { amount: magnitude(row.net), fee: row.fee } : {}),
    common: { account: '', assetClass: isOption ? 'option' : null },
  };
}

/** Reads the rounding of a fraction after a split. Rounding up without payment only adds to the shares of the split. */
function readRounding(row: ActivityRow, _groups: unknown, actions: CorporateActions): readonly Outcome[] {
  const { cells, time, asset } = row;
  const quantity = cells.need('Quantity', row.quantity);
  const isFree = (cells.money('Value') ?? 0n) === 0n;
  if (!isFree || !actionOf(cells).startsWith('buy'))
    return [cells.rejected('Sub Type', rejections.fractionAmountMissing)];
  return actions.add({ cells, column: 'Sub Type', time, kind: 'split', asset, quantity, rounds: true });
}
