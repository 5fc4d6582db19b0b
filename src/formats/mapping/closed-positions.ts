import { formatMoney, formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { roundToMoney } from '../tables/legs.ts';
import { joinOutcomes } from './held-contracts.ts';
import type { Instrument } from './instruments.ts';
import type { LotbookTexts } from './mapped-line.ts';
import { type Counted, isMoney, type MappedValues } from './mapped-values.ts';
import type { MappedField } from './mapping.ts';
import { agrees, resolveUnit } from './measures.ts';

/** Fields that identify a row of any type. */
type PositionTexts = Pick<LotbookTexts, 'account' | 'externalId' | 'note'>;
type ReadLine = (line: LotbookTexts) => readonly Outcome[];

/**
 * Reads a closed position: a row with an opening and a closing, which becomes a purchase and a sale, or a short sale
 * and its cover. The gain in the row is checked against the prices. For currency pairs, only the gain in the row
 * counts, because it is ordinary (IRC 988(a)(1)(A)).
 */
export function readClosedPosition(
  values: MappedValues,
  common: PositionTexts,
  readLine: ReadLine,
): readonly Outcome[] {
  const { cells } = values;
  const instrument = values.instrument();
  if (instrument.kind === 'currencies') return readCurrencyResult(values, common, readLine);
  const counted = values.counted('quantity');
  const unit = counted?.unit ?? '';
  if (/^LOTS?$/i.test(unit)) return [cells.rejected(values.column('quantity'), rejections.unknownLotSize)];
  const units = cells.need(values.column('quantity'), magnitude(counted?.value ?? null));
  const direction = readPositionDirection(values);
  const opened = valueAt(values, 'openAmount', 'openPrice', units, instrument);
  const closed = valueAt(values, 'amount', 'price', units, instrument);
  const fee = toMoneyOrNull(values.fee()?.quantity ?? null);
  const feeUnit = values.fee()?.asset ?? '';
  if (feeUnit !== '' && !isMoney(resolveUnit(feeUnit))) cells.reject(values.column('fee'), rejections.feeInCrypto);
  if (instrument.asset === '') cells.reject(values.column('asset'), rejections.assetMissing);
  if (opened === null || closed === null)
    cells.reject(values.column(opened === null ? 'openPrice' : 'price'), rejections.positionPriceMissing);
  const financing = toMoneyOrNull(values.has('financing') ? (values.counted('financing')?.value ?? null) : null) ?? 0n;
  if (financing !== 0n) cells.reject(values.column('financing'), rejections.financing);
  const [from, until] = [values.time('openedAt'), values.time()];
  if (
    from !== null &&
    until !== null &&
    (from.at ?? from.on) > (until.at ?? until.on) &&
    (from.at === null) === (until.at === null)
  )
    cells.reject(values.column('openedAt'), rejections.closedBeforeOpened);
  if (direction === null || opened === null || closed === null || units === null || cells.flawed)
    return [cells.refused()];
  const result = direction === 'long' ? closed - opened : opened - closed;
  checkGain(values, result, fee ?? 0n);
  if (cells.flawed) return [cells.refused()];
  const currency = values.currency() || resolveUnit((values.counted('price') ?? values.counted('amount'))?.unit ?? '');
  const types = typesOf[instrument.kind === 'option' ? 'option' : 'asset'][direction];
  const line = { ...common, asset: instrument.asset, quantity: formatQuantity(units), currency };
  const opening: LotbookTexts = {
    ...line,
    externalId: `${common.externalId || instrument.asset} opened ${values.date('openedAt')}`.replaceAll(';', ' '),
    type: types.opens,
    date: values.date('openedAt'),
    amount: formatMoney(opened),
  };
  const closing: LotbookTexts = {
    ...line,
    type: types.closes,
    date: values.date(),
    amount: formatMoney(closed),
    fee: fee === null ? '' : formatMoney(fee),
    // The broker's row shows which units were sold.
    lots: `${opening.externalId}:${line.quantity}`,
  };
  return joinOutcomes([readLine(opening), readLine(closing)]);
}

const typesOf: Readonly<
  Record<'asset' | 'option', Readonly<Record<'long' | 'short', { opens: TransactionType; closes: TransactionType }>>>
> = {
  asset: { long: { opens: 'buy', closes: 'sell' }, short: { opens: 'short_sell', closes: 'cover' } },
  option: {
    long: { opens: 'buy_to_open', closes: 'sell_to_close' },
    short: { opens: 'sell_to_open', closes: 'buy_to_close' },
  },
};

/** Reads the gain in a currency position's row. Its opening and closing do not become transactions. */
export function readCurrencyResult(
  values: MappedValues,
  common: PositionTexts,
  readLine: ReadLine,
): readonly Outcome[] {
  const { cells } = values;
  const [net, gross] = [readSignedMoney(values, 'gain'), readSignedMoney(values, 'grossGain')];
  const stated = net ?? gross;
  if (stated === null) return [cells.rejected(values.column('asset'), rejections.currencyExchange)];
  // Charges can have either sign, but a swap keeps its sign.
  const fee = toMoneyOrNull(values.fee()?.quantity ?? null) ?? 0n;
  const financing = net === null ? (readSignedMoney(values, 'financing') ?? 0n) : 0n;
  const result = (net ?? stated - fee + financing) as Money;
  if (cells.flawed) return [cells.refused()];
  if (result === 0n && stated === 0n && !values.has('openedAt')) return [cells.skip(skips.currencyPositionOpened)];
  const column = net === null ? 'grossGain' : 'gain';
  const currency = resolveUnit(values.counted(column)?.unit ?? '') || values.currency();
  return readLine({ ...common, type: 'currency_gain', date: values.date(), amount: formatMoney(result), currency });
}

/**
 * Checks that the gain in the row follows from the prices, before or after fees, to a cent or to the price's last
 * digit.
 */
function checkGain(values: MappedValues, result: bigint, fee: bigint): void {
  for (const field of ['gain', 'grossGain'] as const) {
    const stated = readSignedMoney(values, field);
    if (stated === null) continue;
    const expected = field === 'gain' ? result - fee : result;
    const apart = stated > expected ? stated - expected : expected - stated;
    if (apart <= tolerance + size(expected) / 10_000n) continue;
    const shown = [formatMoney(stated as Money), formatMoney(expected as Money)] as const;
    values.cells.reject(values.column(field), rejections.gainDiffers(...shown));
  }
}

const tolerance = 2_000_000n;

/** Returns whether two values differ by more than 1%, which rounded prices cannot explain. */
function differs(stated: bigint, computed: bigint): boolean {
  return size(size(stated) - size(computed)) * 100n > size(stated);
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function readSignedMoney(values: MappedValues, field: MappedField): Money | null {
  return toMoneyOrNull(values.has(field) ? (values.counted(field)?.value ?? null) : null);
}

function toMoneyOrNull(value: Quantity | null): Money | null {
  return value === null ? null : roundToMoney(value);
}

/** Returns the position's value: the one in the row, or else price times units. */
function valueAt(
  values: MappedValues,
  amount: 'amount' | 'openAmount',
  price: 'price' | 'openPrice',
  units: Quantity | null,
  { kind }: Instrument,
): Money | null {
  const stated = values.has(amount) && kind !== 'future' ? values.counted(amount) : null;
  const computed = values.has(price) ? values.computed(units, values.perContract, price) : null;
  const value: Counted | null = stated ?? computed;
  if (stated !== null && computed !== null && differs(stated.value, computed.value))
    values.cells.reject(values.column(amount), rejections.valueDiffers);
  const currency = values.currency();
  if (value !== null && value.unit !== '' && currency !== '' && !agrees(value.unit, currency))
    values.cells.reject(values.column(amount), rejections.valueInOtherCurrency);
  return value === null ? null : roundToMoney(magnitude(value.value) ?? value.value);
}

/** Returns whether a position was long or short, based on a word, on the sign of its units, or on its gain. */
function readPositionDirection(values: MappedValues): 'long' | 'short' | null {
  const { cells } = values;
  const word = values.text('type');
  if (word !== '') {
    const direction = directionOfWord(word);
    // A closing sale ends a long position.
    const isClosing = /clos|exit/i.test(values.column('type'));
    if (direction !== undefined) return isClosing === (direction === 'short') ? 'long' : 'short';
    cells.reject(values.column('type'), rejections.neitherLongNorShort);
    return null;
  }
  if ((values.counted('quantity')?.value ?? 0n) < 0n) return 'short';
  const gain = readSignedMoney(values, 'grossGain') ?? readSignedMoney(values, 'gain');
  const [from, until] = [values.counted('openPrice')?.value, values.counted('price')?.value];
  if (gain === null || from === undefined || until === undefined || from === until || gain === 0n) return 'long';
  return until > from === gain > 0n ? 'long' : 'short';
}

export function directionOfWord(word: string): 'long' | 'short' | undefined {
  const plain = word.trim().toLowerCase();
  if (/^(?:b|buy|bought|long|l|kauf|compra|achat)$/.test(plain)) return 'long';
  return /^(?:s|sell|sold|short|sell short|verkauf|venta|vente)$/.test(plain) ? 'short' : undefined;
}
