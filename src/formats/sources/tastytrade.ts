import type { Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, sum, toFee } from '../cells/amounts.ts';
import { formatOption, readOption } from '../cells/option-symbol.ts';
import {
  actionTermsMissing,
  cashFeePaid,
  cashMoved,
  noOptionNamed,
  opensOrClosesUnclear,
  requiredHere,
  unknownAction,
  unknownType,
} from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, rowsInGroups } from '../reader.ts';
import { checkMultiplier, optionEvent, optionStated, rejectIncomplete, rejectSpinoff } from '../tables/brokers.ts';
import { type ActionKind, type ActionRow, CorporateActions } from '../tables/corporate-actions.ts';
import { markDelivered, withDeliveries } from '../tables/deliveries.ts';

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
  (...file) => withDeliveries(rowsInGroups(() => new CorporateActions(), readRow)(...file), { marksEach: true }),
);

function readRow(cells: Cells, actions: CorporateActions): readonly Outcome[] {
  const kind = actionKinds.get(cells.text('Sub Type').toLowerCase());
  if (kind !== undefined && isReceived(cells) && !isFuture(cells)) return actions.add(actionRow(cells, kind));
  if (isReceived(cells) && /\brounding correction\b/i.test(cells.text('Description')))
    return readRounding(cells, actions);
  return [readAlone(cells)];
}

function isReceived(cells: Cells): boolean {
  return cells.text('Type').toLowerCase() === 'receive deliver';
}

function isFuture(cells: Cells): boolean {
  return cells.text('Instrument Type').toLowerCase().startsWith('future');
}

/** Actions with one row that closes the old position and one that opens the new one, each at its market value. */
const actionKinds: ReadonlyMap<string, ActionKind> = new Map([
  ['reverse split', 'split'],
  ['forward split', 'split'],
  ['symbol change', 'rename'],
  ['stock merger', 'exchange'],
  ['cash merger', 'payout'],
]);

function actionRow(cells: Cells, kind: ActionKind): ActionRow {
  const units = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  const action = actionOf(cells);
  const does =
    /_to_(open|close)$/.exec(action)?.[1] ?? /\b(open|close) /.exec(cells.text('Description').toLowerCase())?.[1];
  if (does === undefined) cells.reject('Action', 'unknown_type', opensOrClosesUnclear);
  const option = readOption(cells.text('Symbol'));
  const isOption = cells.text('Instrument Type').toLowerCase() === 'equity option';
  if (isOption && option === undefined) cells.reject('Symbol', 'bad_option', noOptionNamed);
  const asset = option === undefined ? cells.text('Symbol') : formatOption(option);
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  const isPaid = kind === 'payout' && does === 'close';
  if (isPaid && action.startsWith('buy'))
    cells.reject('Action', 'unknown_type', 'The cost of closing this short position is not clear');
  return {
    cells,
    column: 'Sub Type',
    time: cells.effectiveTime('Date', ['Description']),
    kind,
    asset,
    quantity: units === null || does === 'open' ? units : negateAmount(units),
    ...(isPaid ? readValue(cells) : {}),
    common: { account: '', assetClass: isOption ? 'option' : null },
  };
}

/** Reads the rounding of a fraction after a split. Rounding up without payment only adds to the shares of the split. */
function readRounding(cells: Cells, actions: CorporateActions): readonly Outcome[] {
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  const isFree = (cells.money('Value') ?? 0n) === 0n;
  if (!isFree || !actionOf(cells).startsWith('buy'))
    return [rejectIncomplete(cells, 'Sub Type', 'The amount paid for this fractional share is missing')];
  const time = cells.effectiveTime('Date', ['Description']);
  const asset = cells.text('Symbol');
  return actions.add({ cells, column: 'Sub Type', time, kind: 'split', asset, quantity, rounds: true });
}

function actionOf(cells: Cells): string {
  return cells.text('Action').toLowerCase().replaceAll(' ', '_');
}

function readAlone(cells: Cells): Outcome {
  const type = cells.text('Type').toLowerCase();
  const subType = cells.text('Sub Type').toLowerCase();
  if (type === 'money movement') return money(cells, subType);
  if (type !== 'trade' && type !== 'receive deliver') return cells.rejected('Type', 'unknown_type', unknownType);
  const instrument = cells.text('Instrument Type').toLowerCase();
  if (isFuture(cells)) {
    return cells.rejected('Instrument Type', 'unknown_type', {
      manual: 'Futures and options on futures are not imported. Enter them manually',
    });
  }
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  if (/^spin-? ?off$/.test(subType)) return rejectSpinoff(cells, 'Sub Type', { asset: cells.text('Symbol'), quantity });
  if (subType === 'stock dividend' && actionOf(cells) === 'buy_to_open' && instrument === 'equity')
    return cells.read(cells.effectiveTime('Date', ['Description']), {
      type: 'split',
      asset: cells.text('Symbol'),
      quantity,
    });
  if (/split|change|merger|spin|dividend|conversion|exchange|tender|rights/.test(subType))
    return rejectIncomplete(cells, 'Sub Type', actionTermsMissing);
  if (instrument === 'equity option') return option(cells, subType, quantity);
  return markDelivered(readTrade(cells, instrument, quantity), isDelivery(cells, subType));
}

/**
 * Returns whether an option delivered the shares. Newer exports show only the trade: `Receive Deliver`, `Sell to Open`.
 */
function isDelivery(cells: Cells, subType: string): boolean {
  return /assign|exercise/.test(subType) || (isReceived(cells) && /^(?:buy|sell) to (?:open|close)$/.test(subType));
}

const moneyKinds: readonly (readonly [RegExp, TransactionType])[] = [
  [/^dividend/, 'dividend'],
  [/^credit interest/, 'interest'],
  [/^fully paid|^stock lending/, 'other_income'],
];

function money(cells: Cells, subType: string): Outcome {
  const kind = moneyKinds.find(([pattern]) => pattern.test(subType))?.[1];
  if (kind !== undefined) {
    return cells.read(cells.effectiveTime('Date', ['Description']), {
      type: kind,
      asset: cells.text('Symbol'),
      amount: cells.need('Value', cells.money('Value')),
    });
  }
  if (/deposit|withdrawal|transfer|mark to market/.test(subType)) return cells.skip(cashMoved);
  if (/fee|debit interest|balance adjustment/.test(subType)) return cells.skip(cashFeePaid);
  return cells.rejected('Sub Type', 'unknown_type', 'Unknown cash movement');
}

function option(cells: Cells, subType: string, quantity: Quantity | null): Outcome {
  const symbol = readOption(cells.text('Symbol'));
  const value = readValue(cells);
  if (symbol === undefined) return cells.rejected('Symbol', 'bad_option', noOptionNamed);
  checkMultiplier(cells, 'Multiplier', symbol);
  const ends = /expir/.test(subType)
    ? 'expire'
    : /assign/.test(subType)
      ? 'assign'
      : /exercise/.test(subType)
        ? 'exercise'
        : null;
  if (ends !== null)
    return cells.read(
      cells.effectiveTime('Date', ['Description']),
      optionEvent(cells, ends, symbol, quantity, { cash: value.amount, fee: value.fee }),
    );
  const action = /^(?:buy|sell)_to_(?:open|close)$/.exec(actionOf(cells))?.[0];
  if (action === undefined) return cells.rejected('Action', 'unknown_type', opensOrClosesUnclear);
  return cells.read(cells.effectiveTime('Date', ['Description']), {
    ...optionStated(symbol),
    type: action as TransactionType,
    quantity,
    ...value,
  });
}

const equityActions: ReadonlyMap<string, TransactionType> = new Map([
  ['buy_to_open', 'buy'],
  ['sell_to_close', 'sell'],
  ['sell_to_open', 'short_sell'],
  ['buy_to_close', 'cover'],
  ['buy', 'buy'],
  ['sell', 'sell'],
]);

function readTrade(cells: Cells, instrument: string, quantity: Quantity | null): Outcome {
  const type = equityActions.get(actionOf(cells));
  if (type === undefined) return cells.rejected('Action', 'unknown_type', unknownAction);
  const crypto = instrument.startsWith('crypto');
  const asset = cells.text('Symbol').replace(crypto ? /\/USD$/ : /^$/, '');
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  return cells.read(cells.effectiveTime('Date', ['Description']), {
    type,
    asset,
    assetClass: crypto ? 'crypto' : null,
    quantity,
    ...readValue(cells),
  });
}

function readValue(cells: Cells): { amount: ReturnType<Cells['money']>; fee: ReturnType<Cells['money']> } {
  const fee = sum(magnitude(cells.roundedMoney('Commissions')), magnitude(cells.roundedMoney('Fees')));
  return { amount: cells.need('Value', magnitude(cells.money('Value'))), fee: toFee(fee) };
}
