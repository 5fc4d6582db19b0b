import { formatQuantity, type Quantity } from '../../base/decimal.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { isCurrency } from '../cells/currencies.ts';
import { readTime } from '../cells/times.ts';
import { isNumber, type SampledColumn } from './column-candidates.ts';
import { strangeWords } from './column-words.ts';
import { identifyInstrument } from './instruments.ts';
import { fieldSet } from './mapping.ts';
import { coinOfHeader, readMeasure } from './measures.ts';
import { findReinvestments } from './proposed-settings.ts';
import type { RowInstruments } from './row-instruments.ts';
import {
  collectUnits,
  formatSampleDollars,
  isSome,
  type MappedSample,
  type SampleNumber,
  size,
} from './sample-numbers.ts';
import { readSplitTerms } from './splits.ts';
import { isUndone, splitWords, stateOfWord, typeOfWord } from './type-words.ts';

/** Questions that a proposal leaves to the user because a wrong guess would change amounts, by column name. */
type Questions = Readonly<Record<string, string>>;

/** What the questions need to know besides the sample. */
export interface QuestionContext {
  readonly instruments: RowInstruments;
  /** Columns with the gains of closed positions, which do not make the rows futures. */
  readonly gains: readonly SampledColumn[];
}

type Ask = (sample: MappedSample, context: QuestionContext) => Questions;

/** Questions about rows that contain both an opening and a closing. */
export const positionQuestions: readonly Ask[] = [
  ...[askAboutUnmappedFees, askAboutFutures, askAboutMissingAsset, askAboutCurrency, askAboutRebates, askAboutCosts],
  ...[askAboutContracts, askAboutUnmappedContracts, askAboutCurrencyGains, askAboutStatus],
];

/** Questions about rows that are one transaction each. If two are about one column, the last one counts. */
export const tradeQuestions: readonly Ask[] = [
  ...[askAboutUnmappedFees, askAboutFutures, askAboutLotSize, askAboutSalesReport, askAboutTradeSides],
  ...[askAboutReinvestments, askAboutMissingAsset, askAboutTypeColumn, askAboutCurrency, askAboutPoolFlows],
  ...[askAboutRebates, askAboutCosts, askAboutWithheldTax, askAboutMultiplier, askAboutContracts],
  ...[askAboutUnmappedContracts, askAboutCurrencyGains, askAboutSplits, askAboutTax, askAboutSecondType],
  ...[askAboutStatus, askAboutDividendUnits, askAboutAccruedInterest],
];

function ask(columns: readonly SampledColumn[], question: string): Questions {
  return Object.fromEntries(columns.map(({ name }) => [name, question]));
}

/** Asks about fee columns that are not mapped, because their money would be lost. */
function askAboutUnmappedFees(sample: MappedSample): Questions {
  const fees = sample.fields.filter(({ field }) => field === 'fee').map(({ column }) => column);
  const isUnread = (column: SampledColumn): boolean => {
    if (!feeWords.test(` ${column.whole}`)) return false;
    // If the file names the fee's coin but no fee is mapped, the fee's value is the fee.
    const isOnly = fees.length === 0 && / (?:value|worth) /.test(` ${column.whole} `) && sample.has('feeAsset');
    if (notFeeWords.test(` ${column.whole} `) && !isOnly) return false;
    const isSame = fees.some((fee) => fee.unit !== column.unit || fee.whole.includes('total'));
    // A fee in percent would be lost, too.
    const isCounted = column.samples.some((text) => /[1-9]/.test(text) && /^[-+\d.,%\s]+$/.test(text));
    return !isSame && (isCounted || sample.numbers(column).some(isSome));
  };
  return ask(sample.unmapped.filter(isUnread), 'This looks like a fee. Which field is it?');
}

const feeWords = / (?:fee|commission|charge|gebühr|provision|frais|comisi|commission|courtage|prowizja|手数料)/;
const notFeeWords =
  / (?:rate|perc|percent|currency|asset|coin|balance|id|type|level|role|value|price|worth|basis|discount|inclusive|incl|including|excluding|excl|less|after|before|net) /;

/** Returns whether every row is an option or a future. Unusual column names then need no question. */
function areContracts({ instruments }: RowInstruments): boolean {
  return instruments.length > 0 && instruments.every(({ kind }) => kind === 'option' || kind === 'future');
}

/** Asks about columns that only futures have. A future's row is not a purchase, because nothing is owned. */
function askAboutFutures(sample: MappedSample, { instruments, gains }: QuestionContext): Questions {
  if (areContracts(instruments)) return {};
  const isNamed = ({ whole, samples }: SampledColumn): boolean =>
    samples.length > 0 && futuresWords.test(` ${whole} `) && !whole.endsWith('contract address');
  // Exchanges leave these columns empty or zero for spot trades.
  const isOnMargin = (column: SampledColumn): boolean =>
    / (?:margin|pnl) /.test(` ${column.whole} `) &&
    (sample.numbers(column).some(isSome) || column.samples.some((text) => /^(?:cross|isolated)/i.test(text)));
  return ask(
    sample.columns.filter((column) => !gains.includes(column) && (isNamed(column) || isOnMargin(column))),
    'Are these futures or margin trades? Only their settled gains count, not the purchases and sales.',
  );
}

const futuresWords =
  / (?:leverage|mark price|index price|funding|reduce only|liquidation fee|liquidation price|realized pnl|closing pnl|contract|perpetual) /;

/** Asks how many units are in a lot of gold or an index, because the broker defines it. */
function askAboutLotSize(sample: MappedSample, { instruments }: QuestionContext): Questions {
  const units = sample.column('quantity');
  if (areContracts(instruments)) return {};
  if (units === undefined || !/ lots? /.test(` ${units.whole} `)) return {};
  return { [units.name]: 'How many units are in one lot?' };
}

/**
 * Asks whether the file is a report of sales with their cost basis. Its rows are then reported sales, not transactions.
 */
function askAboutSalesReport(sample: MappedSample): Questions {
  const types = sample.column('type')?.samples ?? [];
  const basis = sample.columns.find(
    ({ whole, samples }) => samples.length > 0 && / (?:cost )?basis| basis /.test(` ${whole}`),
  );
  const isReport = sample.columns.some(({ whole, samples }) => samples.length > 0 && reportWords.test(` ${whole} `));
  if (basis === undefined || !isReport || types.some((word) => typeOfWord(word) === 'reported_sale')) return {};
  return { [basis.name]: 'Is this a report of sales with their cost basis rather than a list of purchases and sales?' };
}

const reportWords = / (?:acquired|date acquired|acquisition date|gain|gains|gain loss|short term|long term) /;

/**
 * Asks about rows with the same time that add one asset and remove another. They are the two sides of one trade, not
 * transfers.
 */
function askAboutTradeSides(sample: MappedSample): Questions {
  const [dates, assets, quantities] = [sample.column('date'), sample.column('asset'), sample.column('quantity')];
  const isSided = sample.has('sentQuantity', 'amount', 'total', 'price', 'debit', 'receivedQuantity');
  if (dates === undefined || assets === undefined || quantities === undefined || isSided) return {};
  const [numbers, types] = [sample.numbers(quantities), sample.values('type')];
  const seen = new Map<string, { readonly asset: string; readonly isOut: boolean }>();
  for (const [row, date] of dates.values.entries()) {
    const asset = assets.values[row] ?? '';
    const type = typeOfWord(types[row] ?? '');
    const isOut = (numbers[row] ?? 0n) < 0n || type === 'withdrawal' || type === 'spend';
    const at = readTime(date, 'UTC', 'UTC')?.at;
    if (asset === '' || (at === null && !/^\d{10}/.test(date))) continue;
    const other = seen.get(date);
    if (other !== undefined && other.asset !== asset && other.isOut !== isOut)
      return {
        [quantities.name]: 'Are rows with the same time the sides of one trade? A mapping reads each row separately.',
      };
    seen.set(date, { asset, isOut });
  }
  return {};
}

/** Asks about reinvested dividends, which a file may list twice: once as a payment and once as shares. */
function askAboutReinvestments(sample: MappedSample): Questions {
  const type = sample.column('type')?.name;
  const [word] = findReinvestments(sample).open;
  if (type === undefined || word === undefined) return {};
  return { [type]: `Is "${word.slice(0, 40)}" a purchase with a dividend from another row, or a dividend itself?` };
}

/** Asks for the asset column in a file of trades or dividends without one. */
function askAboutMissingAsset(sample: MappedSample): Questions {
  const [units, type] = [sample.column('quantity'), sample.column('type')];
  const inCells = units?.samples.some((text) => (readMeasure(text)?.unit ?? '') !== '') === true;
  const isNamed = sample.has('asset', 'pair', 'sentAsset', 'sentQuantity');
  if (isNamed || inCells || coinOfHeader(units?.name ?? '') !== '') return {};
  const named = (type?.samples ?? []).map((word) => typeOfWord(word));
  const isOfAssets = units !== undefined || named.some((one) => one !== undefined && !ofCash.has(one));
  // An unrecognized text column is the most likely one for assets.
  const free = sample.unmapped.find(
    ({ samples }) => samples.length > 0 && samples.every((text) => /^\p{L}/u.test(text)),
  );
  const column = free ?? type ?? units;
  return column !== undefined && isOfAssets ? { [column.name]: 'Which column contains the asset?' } : {};
}

const ofCash: ReadonlySet<string> = new Set(['interest', 'withholding', 'deposit', 'withdrawal', 'skip']);

/** Asks about interest next to a bond's price, because no column shows whether the row's money includes it. */
function askAboutAccruedInterest(sample: MappedSample): Questions {
  const isOfBonds = sample.columns.some(({ whole }) =>
    /^(?:cusip(?: number)?|maturity(?: date)?|coupon(?: rate)?)$/.test(whole),
  );
  const accrued = sample.columns.find(({ whole }) => /^(?:accrued|accr)(?: interest| int)?$/.test(whole));
  if (!isOfBonds || accrued === undefined || !sample.numbers(accrued).some(isSome)) return {};
  return {
    [accrued.name]:
      'Does the amount include this interest? Accrued interest is not part of the cost basis of a bond. Map it to accruedInterest, with an amount that excludes it.',
  };
}

/**
 * Asks about a column that may hold the transaction types, because the signs of amounts are used only without such a
 * column.
 */
function askAboutTypeColumn(sample: MappedSample): Questions {
  if (sample.has('type', 'sentQuantity')) return {};
  const isTyped = ({ samples }: SampledColumn): boolean =>
    samples.some((text) => text.length >= 3 && typeOfWord(text) !== undefined);
  return ask(sample.unmapped.filter(isTyped), 'Does this column contain the transaction types?');
}

const moneyFields = fieldSet(['amount', 'total', 'price', 'debit', 'credit']);
const unitFields = fieldSet(['currency', 'quote', 'pair', 'sentAsset', 'receivedAsset']);

/**
 * Asks for the currency if the file suggests one other than dollars. Without a currency in a column, header or cell,
 * money is in dollars.
 */
function askAboutCurrency({ fields, unmapped, isComma }: MappedSample): Questions {
  const money = fields.filter(({ field }) => moneyFields.has(field)).map(({ column }) => column);
  const [first] = money;
  const isStated = fields.some(({ field, column }) => unitFields.has(field) && column.samples.length > 0);
  const isInCells = money.some((column) => column.unit !== '' || collectUnits(column, isComma).size > 0);
  if (first === undefined || isStated || isInCells) return {};
  const coin = coinOfHeader(first.name);
  if (coin !== '') return { [first.name]: `Is it in ${coin}? A mapping can only import amounts in a currency.` };
  const isOther = (text: string): boolean => isCurrency(text) && text.toUpperCase() !== 'USD';
  const unread = unmapped.find(
    ({ samples, whole }) =>
      samples.some(isOther) && (currencyWords.test(` ${whole} `) || samples.every((text) => isCurrency(text))),
  );
  if (unread !== undefined) return { [unread.name]: 'Is this the currency of the amounts?' };
  const isForeign =
    isComma ||
    fields.some(
      ({ column: { whole }, field }) =>
        /[^\x20-\x7e]/.test(whole) ||
        (field === 'date' && /^(?:datum|data|fecha|buchungs?tag|zeitpunkt|affärsdag)/.test(whole)),
    );
  return isForeign ? { [first.name]: 'Which currency is it in? The file does not show it.' } : {};
}

const currencyWords = / (?:currency|currencies|ccy|währung|devise|divisa|moneda|moeda|valuta|munt|waluta|unit|通貨) /;

/**
 * Asks about columns such as `Amount In`, which hold either what an account received or what went into a pool, unless a
 * one-sided row or a purchase settles it.
 */
function askAboutPoolFlows(sample: MappedSample): Questions {
  const [given, received] = [sample.column('sentQuantity'), sample.column('receivedQuantity')];
  if (given === undefined || received === undefined) return {};
  if (!/\bout\b/.test(given.whole) || !/\bin\b/.test(received.whole)) return {};
  const types = sample.column('type')?.samples ?? [];
  const isShown = types.some((word) => !['trade', undefined].includes(typeOfWord(word)));
  const isTwoSided = given.values.every((text, row) => (text === '') === ((received.values[row] ?? '') === ''));
  return isTwoSided && !isShown
    ? { [received.name]: 'Did you receive this, or did it go into a pool in return for something else?' }
    : {};
}

/**
 * Asks about a column with tax withheld from income. A mapping reads one transaction per row and would drop the tax.
 */
function askAboutWithheldTax(sample: MappedSample): Questions {
  return ask(
    sample.unmapped.filter((column) => withheldWords.test(` ${column.whole} `) && sample.numbers(column).some(isSome)),
    'Was this tax withheld from the income in the row? A mapping cannot import it.',
  );
}

const withheldWords =
  / (?:withheld|withholding|quellensteuer|kapitalertragsteuer|retenue|retención|ritenuta|irrf|dividendbelasting|källskatt) |源泉/;

/**
 * Asks about a column with an unknown name and small sums next to the money of trades, which may be a cost. If the
 * money already includes all costs, no question is needed.
 */
function askAboutCosts(sample: MappedSample): Questions {
  const money = sample.fields.find(({ field }) => field === 'amount' || field === 'price');
  if (money === undefined || sample.has('total') || !sample.has('quantity')) return {};
  const units = sample.numbers(sample.column('quantity'));
  const isPrice = sample.fields.some(({ field, column }) => field === 'price' && column === money.column);
  const worth = sample
    .numbers(money.column)
    .map((value, row) => (isPrice ? ((value ?? 0n) * (units[row] ?? 0n)) / one : (value ?? 0n)));
  const isCost = (column: SampledColumn): boolean => {
    if (sample.candidates.some((each) => each.column === column)) return false;
    if (column.whole.split(' ').some((word) => strangeWords.has(word))) return false;
    if (!column.samples.some((text) => /\d[.,]\d/.test(text)) || !column.samples.every(isNumber)) return false;
    const sums = sample.numbers(column);
    const isOfUnits = sums.every((sum, row) => isNear(size(sum ?? 0n), size(units[row] ?? 0n)));
    if (isOfUnits || / (?:less|net|after) /.test(` ${column.whole} `)) return false;
    return sums.some(isSome) && sums.every((sum, row) => size(sum ?? 0n) * 10n <= size(worth[row] ?? 0n));
  };
  return ask(sample.unmapped.filter(isCost), 'Is this a cost of the trade?');
}

/** Returns whether two values are within 5% of each other, like units with and without a fee. */
function isNear(a: bigint, b: bigint): boolean {
  return size(a - b) * 20n <= b;
}

/**
 * Asks about fees with different signs, because some were paid to the taxpayer. A mapping treats every fee as paid by
 * the taxpayer.
 */
function askAboutRebates(sample: MappedSample): Questions {
  const isMixed = (column: SampledColumn): boolean => {
    const fees = sample.numbers(column);
    return fees.some((fee) => (fee ?? 0n) > 0n) && fees.some((fee) => (fee ?? 0n) < 0n);
  };
  const fees = sample.fields.filter(({ field }) => field === 'fee').map(({ column }) => column);
  return ask(fees.filter(isMixed), 'Fees have both signs. Which were paid, and which were received?');
}

/** Asks about multi-unit contracts, whose cost is not price times units, unless the symbol implies the multiplier. */
function askAboutMultiplier(sample: MappedSample, { instruments: { units } }: QuestionContext): Questions {
  const stated = sample.columns.find(({ whole }) => / (?:multiplier|contract size|point value) /.test(` ${whole} `));
  if (!sample.has('price') || stated === undefined) return {};
  const isMeant = sample
    .numbers(stated)
    .every((value, row) => value === null || units[row] === null || size(value) === (units[row] ?? one));
  return isMeant ? {} : { [stated.name]: 'Is the cost of a unit the price times this number?' };
}

/** Asks for the point value of a future that is not in the table, and about symbols that can be a share or a future. */
function askAboutContracts(sample: MappedSample, { instruments: { instruments } }: QuestionContext): Questions {
  const column = sample.column('asset');
  if (column === undefined || sample.columns.length === 0) return {};
  const futures = instruments.flatMap((each) => (each.kind === 'future' ? [each.future] : []));
  const unsure = futures.find(({ isUnsure }) => isUnsure);
  if (unsure !== undefined)
    return { [column.name]: `Is ${unsure.root}${unsure.month} a share, or the future ${unsure.root}?` };
  const unknown = futures.find(({ multiplier }) => multiplier === null);
  // Contracts on foreign exchanges are also in a different currency.
  if (unknown === undefined || (sample.has('multiplier') && sample.has('currency'))) return {};
  const question = `How many dollars is one point of the future ${unknown.root}? Set it in "multipliers".`;
  return { [column.name]: question };
}

/** Asks about an unmapped column with option or future symbols. The mapped column may only identify the underlying. */
function askAboutUnmappedContracts(sample: MappedSample, { instruments: { instruments } }: QuestionContext): Questions {
  const isContractSymbol = (text: string): boolean => ['option', 'future'].includes(identifyInstrument(text).kind);
  const isOfContracts = ({ values }: SampledColumn): boolean =>
    values.some((text, row) => instruments[row]?.kind === 'asset' && isContractSymbol(text));
  return ask(sample.unmapped.filter(isOfContracts), 'Are these the contracts that were traded?');
}

/**
 * Asks for the gain column of currency pairs. Their gain is ordinary income, and the mapped columns do not contain it.
 */
function askAboutCurrencyGains(sample: MappedSample, { instruments: { instruments } }: QuestionContext): Questions {
  const column = sample.column('asset') ?? sample.column('pair');
  const traded = instruments.filter(({ asset }) => asset !== '');
  if (column === undefined || sample.has('gain', 'grossGain') || traded.length === 0) return {};
  if (!traded.every(({ kind }) => kind === 'currencies')) return {};
  return { [column.name]: 'Which column contains the realized currency gain? It is ordinary income (IRC 988).' };
}

/** Asks whether a split's quantity is its ratio or the shares added, unless text in the row contains the ratio. */
function askAboutSplits(sample: MappedSample): Questions {
  const units = sample.column('quantity');
  if (units === undefined || sample.has('ratio')) return {};
  const [types, labels] = [sample.values('type'), sample.values('label')];
  const [assets, dates] = [sample.values('asset'), sample.values('date')];
  const listTypes = (row: number): (string | undefined)[] => [types, labels].map((of) => typeOfWord(of[row] ?? ''));
  const numbers = sample.numbers(units);
  const rows = numbers.flatMap((value, row) => (isSome(value) && listTypes(row).includes('split') ? [row] : []));
  const isHalf = (row: number): boolean =>
    listTypes(row).some((type) => type === 'buy' || type === 'sell') ||
    rows.some((other) => other !== row && dates[other] === dates[row] && assets[other] === assets[row]);
  const open = rows.find((row) => {
    const texts = sample.columns.map(({ values }) => values[row] ?? '');
    const isReverse = texts.some((text) => /reverse|consolidat/i.test(text));
    return !isHalf(row) && !texts.some((text) => readSplitTerms(text, isReverse) !== undefined);
  });
  return open === undefined ? {} : { [units.name]: splitReadings(numbers, open, sample) };
}

/**
 * Describes both meanings of a split's quantity, with the share count that results from the shares held in the file so
 * far.
 */
function splitReadings(numbers: readonly SampleNumber[], row: number, sample: MappedSample): string {
  const [types, assets] = [sample.values('type'), sample.values('asset')];
  const money = sample.numbers(sample.column('amount') ?? sample.column('total'));
  let [held, cost] = [0n, 0n];
  for (const [other, value] of numbers.entries()) {
    if (assets[other] !== assets[row] || value === null || typeOfWord(types[other] ?? '') !== 'buy') continue;
    held += size(value);
    cost += size(money[other] ?? 0n);
  }
  const split = size(numbers[row] ?? 0n);
  const text = (units: bigint): string => formatQuantity(units as Quantity);
  const each = (units: bigint): string =>
    cost === 0n || units === 0n ? '' : ` (${formatSampleDollars((cost * one) / units)} each)`;
  const [byRatio, byAdding] = [(held * split) / one, held + split];
  const readings =
    held === 0n
      ? ''
      : ` ${text(held)} shares become ${text(byRatio)}${each(byRatio)} or ${text(byAdding)}${each(byAdding)}.`;
  return `Is ${text(split)} the ratio of the split or the number of shares added?${readings} Set what the split quantity is.`;
}

const one = 10n ** 18n;

/** Asks about tax. Tax on a purchase may be part of its cost, and income may be shown before or after tax. */
function askAboutTax(sample: MappedSample): Questions {
  const column = sample.column('tax');
  const [taxes, types] = [sample.numbers(column), sample.values('type')];
  const taxed = taxes.flatMap((tax, row) => (isSome(tax) ? [types[row] ?? ''] : []));
  if (column === undefined || taxed.length === 0) return {};
  const sides = taxed.map((word) => {
    const type = typeOfWord(word);
    return type === undefined || type === 'skip' || type === 'sign' ? undefined : (rowOf(type).side ?? 'income');
  });
  const amount = formatSampleDollars(taxes.map((tax) => size(tax ?? 0n)).toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n);
  if (sides.includes('income'))
    return { [column.name]: `Is the income amount before or after this tax (up to ${amount} in a row)?` };
  if (sides.every((side) => side === 'sell')) return {};
  return {
    [column.name]: `Is this tax a cost of the trade (fee) or a withholding (tax)? It is up to ${amount} in a row.`,
  };
}

/** Asks about a column that refines the type of some rows, such as an expiration, a split or a dividend. */
function askAboutSecondType(sample: MappedSample): Questions {
  if (!sample.has('type')) return {};
  const types = sample.values('type');
  const contradicts = ({ values }: SampledColumn): boolean =>
    values.some((word, row) => {
      const [own, other] = [typeOfWord(types[row] ?? ''), typeOfWord(word)];
      return other !== undefined && own !== other && eventful.has(other) && !eventful.has(own ?? '');
    });
  return ask(
    sample.unmapped.filter(contradicts),
    'Does this column change the type of some rows? If so, map it as "label".',
  );
}

const eventful: ReadonlySet<string> = new Set(
  splitWords(
    'short_sell|cover|split|expire|exercise|assign|rename|merger|spinoff|dividend|interest|withholding|return_of_capital|reinvest|gift_in|gift_out',
  ),
);

/** Asks about rows that may be canceled, according to text in the row or a status column with unknown words. */
function askAboutStatus(sample: MappedSample): Questions {
  const isState = ({ whole }: SampledColumn): boolean =>
    / (?:status|state|statut|estado|stato|ステータス) /.test(` ${whole} `);
  const isOpen = (column: SampledColumn): boolean =>
    (isState(column) && column.samples.some((word) => stateOfWord(word) !== 'done')) ||
    column.samples.some((text) => isUndone(text) && typeOfWord(text) === undefined);
  return ask(sample.unmapped.filter(isOpen), 'Some rows do not seem to be completed. Is this column their status?');
}

/** Asks about units next to a dividend, which are either the shares that paid it or the shares that it bought. */
function askAboutDividendUnits(sample: MappedSample): Questions {
  const units = sample.column('quantity');
  const money = sample.column('amount') ?? sample.column('total') ?? sample.column('credit');
  if (!sample.has('type') || units === undefined || money === undefined || !sample.has('asset')) return {};
  const [sizes, sums] = [sample.numbers(units), sample.numbers(money)];
  const [types, assets] = [sample.values('type'), sample.values('asset')];
  const computePrice = (row: number): bigint | null => {
    const [count, sum] = [sizes[row] ?? null, sums[row] ?? null];
    return !isSome(count) || !isSome(sum) ? null : (size(sum ?? 0n) * one) / size(count ?? 1n);
  };
  const traded = new Map<string, bigint>();
  for (const [row, word] of types.entries()) {
    const price = computePrice(row);
    if ((typeOfWord(word) === 'buy' || typeOfWord(word) === 'sell') && price !== null)
      traded.set(assets[row] ?? '', price);
  }
  const isBought = types.some((word, row) => {
    const [price, usual] = [computePrice(row), traded.get(assets[row] ?? '')];
    return typeOfWord(word) === 'dividend' && price !== null && usual !== undefined && price * 4n > usual;
  });
  return isBought
    ? { [units.name]: 'Did these dividends buy the units in the row (reinvest), or were they paid in cash?' }
    : {};
}
