import { isCurrency } from '../cells/currencies.ts';
import { plainNumber, toPlainNumber } from '../cells/fields.ts';
import { type FieldCandidate, isEpoch, isSerialDay, type SampledColumn } from './column-candidates.ts';
import type { Mapping } from './mapping.ts';
import { coinOfHeader } from './measures.ts';
import { findTypeDirection } from './row-types.ts';
import type { MappedSample } from './sample-numbers.ts';
import { isDirectionless, isTotalWord, plainWords, typeOfWord } from './type-words.ts';

/** A proposed mapping's settings other than its columns, as far as the first values show them. */

/** Returns whether numbers in a file have decimal commas. One unambiguous number settles it. */
export function hasDecimalCommas(columns: readonly SampledColumn[]): boolean {
  const stripSigns = (text: string): string => text.replace(/[\p{L}\p{Sc}]+/gu, '').trim();
  const numbers = columns
    .flatMap(({ samples }) => samples.map(stripSigns))
    .filter((text) => /^[-+(]?[\d.,\s]+\)?$/.test(text));
  const isOnly = (text: string): boolean =>
    plainNumber(text) === undefined && toPlainNumber(text, 'decimal comma') !== undefined;
  return numbers.some((text) => text.includes(',') && isOnly(text));
}

export function proposeSettings(sample: MappedSample): Partial<Mapping> {
  const samples = sample.column('date')?.samples ?? [];
  const money = sample.column('amount') ?? sample.column('total') ?? sample.column('price');
  const inHeader = sample.has('currency', 'pair', 'quote') ? '' : (money?.unit ?? '');
  const signs = findSignColumn(sample);
  const types = { ...findReinvestments(sample).types, ...readSideLetters(sample), ...findFundWords(sample) };
  return {
    ...(sample.isComma ? { decimal: ',' as const } : {}),
    ...(samples.length > 0 && samples.every(isEpoch) ? { epoch: true } : {}),
    ...(samples.length > 0 && samples.every(isSerialDay) ? { serialDays: true } : {}),
    ...(goesOn(sample) ? { fillDown: true } : {}),
    ...(Object.keys(types).length > 0 ? { types } : {}),
    ...(signs === undefined ? {} : { signs }),
    ...buildConstants(sample, inHeader),
  };
}

/** Returns the currency and the coin that headers name for all rows. */
function buildConstants(sample: MappedSample, currency: string): Pick<Mapping, 'constants'> {
  const units = sample.column('quantity');
  const isNamed = sample.has('asset', 'pair', 'sentAsset', 'sentQuantity');
  const coin = isNamed || units === undefined ? '' : coinOfHeader(units.name);
  const constants = {
    ...(currency !== '' && currency !== 'USD' && isCurrency(currency) ? { currency } : {}),
    ...(coin === '' ? {} : { asset: coin }),
  };
  return Object.keys(constants).length > 0 ? { constants } : {};
}

/** How a file lists reinvested dividends: the words for their rows, and the words that are still ambiguous. */
interface Reinvestments {
  readonly types: Readonly<Record<string, 'buy' | 'dividend'>>;
  readonly open: readonly string[];
}

/**
 * Finds the words for reinvested dividends. If the dividend has its own row, the row with its shares is a purchase.
 * Treating both as reinvestments would count the dividend twice.
 */
export function findReinvestments(sample: MappedSample): Reinvestments {
  const [types, dates] = [sample.values('type'), sample.values('date')];
  const [assets, units] = [sample.values('asset'), sample.values('quantity')];
  const named = types.map((word) => typeOfWord(word));
  const hasUnits = (row: number): boolean => /[1-9]/.test(units[row] ?? '');
  const isPaid = (row: number): boolean =>
    named[row] === 'dividend' ||
    named[row] === 'capital_gain_distribution' ||
    (named[row] === 'reinvest' && !hasUnits(row));
  const paid = named.flatMap((_, row) => (isPaid(row) ? [row] : []));
  const filterReinvestRows = (isTaken: (row: number) => boolean): number[] =>
    named.flatMap((type, row) => (type === 'reinvest' && isTaken(row) ? [row] : []));
  const isMatched = (row: number): boolean =>
    paid.some((other) => dates[other] === dates[row] && assets[other] === assets[row]);
  const bought = filterReinvestRows(hasUnits);
  const word = (row: number): string => types[row] ?? '';
  const unmatched = bought.filter((row) => !isMatched(row) && paid.some((other) => assets[other] === assets[row]));
  return {
    types: Object.fromEntries([
      ...filterReinvestRows((row) => !hasUnits(row)).map((row) => [word(row), 'dividend'] as const),
      ...bought.filter(isMatched).map((row) => [word(row), 'buy'] as const),
    ]),
    open: [...new Set(unmatched.map(word))],
  };
}

/** Returns whether rows without a date name an asset or a type. Such rows continue the row above. */
function goesOn(sample: MappedSample): boolean {
  const { fields } = sample;
  const dates = sample.values('date');
  const named = fields.filter(({ field }) => field === 'asset' || field === 'pair' || field === 'type');
  const counts = fields.filter(({ field }) => field === 'quantity' || field === 'amount' || field === 'total');
  const isFilled = (of: readonly FieldCandidate[], row: number): boolean =>
    of.some(({ column }) => (column.values[row] ?? '') !== '' && !isTotalWord(column.values[row] ?? ''));
  return dates.some((date, row) => row > 0 && date === '' && isFilled(named, row) && isFilled(counts, row));
}

/** Returns the column whose sign sets the direction. If words also set it, most signs must agree with them. */
function findSignColumn(sample: MappedSample): 'quantity' | 'amount' | undefined {
  if (sample.has('sentQuantity')) return undefined;
  const types = sample.column('type')?.values;
  const money = sample.column('amount') ?? sample.column('total');
  const signs = (['quantity', 'amount'] as const).find((which) => {
    const numbers = sample.numbers(which === 'quantity' ? sample.column('quantity') : money);
    if (!numbers.some((value) => value !== null && value < 0n)) return false;
    const agreement = numbers.map((value, row) => {
      const type = typeOfWord(types?.[row] ?? '');
      if (value === null || value === 0n || type === undefined || type === 'skip' || type === 'sign') return 0;
      const direction = findTypeDirection(type, which);
      return direction === undefined ? 0 : (value > 0n === (direction === 'in')) === (which === 'quantity') ? 1 : -1;
    });
    // Accepts a minority of contradictory rows, which are rejected when the file is read.
    return agreement.reduce<number>((sum, one) => sum + one, 0) >= 0;
  });
  const isSaid = types !== undefined && !types.every((word) => word === '' || isDirectionless(word));
  if (signs === undefined && sample.has('debit', 'credit') && !isSaid) return 'amount';
  return signs;
}

/** Returns whether all rows are transfers, so that their value does not matter. */
export function areMoves(types: readonly string[]): boolean {
  return types.length > 0 && types.every((word) => moves.has(typeOfWord(word) ?? ''));
}

const moves: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'skip']);

/** Returns whether some rows are income that is normally paid in cash. */
export function payMoney(types: readonly string[]): boolean {
  return types.some((word) => paidInMoney.has(typeOfWord(word) ?? ''));
}

const paidInMoney: ReadonlySet<string> = new Set(['dividend', 'interest', 'withholding']);

/**
 * Reads the letters in columns such as `B/S`, `K/V` and `A/V`. In any language, the header's first letter means buy and
 * the second sell.
 */
function readSideLetters(sample: MappedSample): Readonly<Record<string, 'buy' | 'sell'>> {
  const column = sample.column('type');
  const [, buys = '', sells = ''] = /^(b|k|a|c) (s|v)$/.exec(column?.whole ?? '') ?? [];
  const isLetter = (text: string): boolean => [buys, sells].includes(text.toLowerCase());
  if (column === undefined || buys === '' || !column.samples.every(isLetter)) return {};
  return { [buys.toUpperCase()]: 'buy', [sells.toUpperCase()]: 'sell' };
}

/** Reads a redemption as a sale in a file of funds with units and money, because a fund redeems its units for money. */
function findFundWords(sample: MappedSample): Record<string, 'buy' | 'sell'> {
  const isOfFunds = sample.columns.some(({ whole }) => / (?:nav|nav price|fund|fund name|fonds) /.test(` ${whole} `));
  const [types, units, amounts] = [sample.values('type'), sample.values('quantity'), sample.values('amount')];
  const money = amounts.length > 0 ? amounts : sample.values('total');
  const words = [...new Set(types)].filter((word) => word !== '' && typeOfWord(word) === undefined);
  const isTraded = (word: string): boolean =>
    types.every((one, row) => one !== word || (/[1-9]/.test(units[row] ?? '') && /[1-9]/.test(money[row] ?? '')));
  const fundWords = isOfFunds ? words.filter(isTraded) : [];
  return Object.fromEntries(
    fundWords.flatMap((word) => {
      const plain = plainWords(word);
      const type = /^(?:redemption|redeemed)$/.test(plain)
        ? 'sell'
        : /^(?:subscription|subscribed)$/.test(plain)
          ? 'buy'
          : null;
      return type === null ? [] : [[word, type] as const];
    }),
  );
}
