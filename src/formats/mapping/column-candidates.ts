import { assetClasses } from '../../engine/model.ts';
import { normalizeHeader } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import { saysNone } from '../cells/fields.ts';
import { dateOrders, plainDate, readSerialDay, readTime } from '../cells/times.ts';
import type { Row } from '../format.ts';
import { quoteRank } from '../tables/pairs.ts';
import { fieldsNamedBy, fieldsNamedWithin, strangeWords, wordsOfHeader } from './column-words.ts';
import { effectOfWord, identifyInstrument, isCurrencyPair } from './instruments.ts';
import { rightOfWord } from './mapped-values.ts';
import { fieldSet, type MappedField } from './mapping.ts';
import { readMeasure, resolveUnit, unitOfHeader } from './measures.ts';
import { splitWords, typeOfWord } from './type-words.ts';

/** A column in a file with an unknown layout: its header and the first values below it. */
export interface SampledColumn {
  readonly name: string;
  readonly place: number;
  /** The nonempty values. */
  readonly samples: readonly string[];
  /** All values, by row. */
  readonly values: readonly string[];
  readonly whole: string;
  readonly outside: string;
  /** The currency in the header. */
  readonly unit: string;
}

export interface FieldCandidate {
  readonly column: SampledColumn;
  readonly field: MappedField;
  /** A number from 0 to 1. */
  readonly confidence: number;
  /** The position of the name in the field's list. A smaller one is more likely. */
  readonly rank: number;
  readonly why: string;
}

/** Returns one column per name: the first if several have the same name. */
export function sampleColumns(header: Row, below: readonly Row[]): SampledColumn[] {
  const seen = new Set<string>();
  return header.cells.flatMap((cell, index): SampledColumn[] => {
    const name = cell.replace(/^\uFEFF/, '').trim();
    const key = normalizeHeader(name);
    if (name === '' || seen.has(key)) return [];
    seen.add(key);
    const values = below.map(({ cells }) => cells[index]?.trim() ?? '');
    const samples = values.filter((value) => !saysNone(value));
    return [{ name, place: index, samples, values, ...wordsOfHeader(name), unit: resolveUnit(unitOfHeader(name)) }];
  });
}

/** Lists the fields that a column may hold, based on its full name, part of its name, or its values alone. */
export function listFieldCandidates(column: SampledColumn): FieldCandidate[] {
  const named = fieldsNamed(column).map((candidate) => judge(candidate));
  const pair = named.find(({ field }) => field === 'pair');
  // Markets are often named after just the asset traded in them.
  if (pair !== undefined && column.samples.length > 0 && column.samples.every(isSymbol) && !has(named, 'asset'))
    named.push({ ...pair, field: 'asset', confidence: 0.6, why: 'its values are symbols' });
  if (named.some(({ confidence }) => confidence >= 0.5) || column.samples.length === 0) return named;
  const shown = fieldOfValues(column.samples);
  return shown === undefined ? named : [...named, { column, rank: namesMax, ...shown }];
}

function has(candidates: readonly FieldCandidate[], field: MappedField): boolean {
  return candidates.some((candidate) => candidate.field === field);
}

/** The rank for a column that only its values support. */
export const namesMax = 999;

/**
 * Returns whether a column can name accounts. A column called "exchange" may name a trading venue instead, such as
 * NYSE.
 */
function namesAccounts({ whole, samples }: SampledColumn): boolean {
  if (/ ?(?:number|no|id)$/.test(whole)) return true;
  // Only in these columns can a number be an account.
  if (accountWords.has(whole)) return true;
  const isVenue = whole === 'exchange' && samples.every((text) => /^[A-Z0-9 .,]+$/.test(text));
  return !isVenue && samples.every((text) => !isNumber(text) && !isPair(text));
}

const accountWords: ReadonlySet<string> = new Set(
  splitWords('account|konto|depot|depå|cuenta|compte|conto|conta|rekening|口座'),
);

function fieldsNamed(column: SampledColumn): FieldCandidate[] {
  const { whole, outside } = column;
  const words = whole.split(' ');
  const isStrange = words.some((word) => strangeWords.has(word));
  const isFee = words.some((word) => feeWord.test(word));
  // The ordered amount is not the executed amount.
  if (orderedShape.test(outside)) return [];
  if (isFee && words.some((word) => coinWords.has(word)))
    return [{ column, field: 'feeAsset', rank: 50, confidence: 0.8, why: 'its name is typical of a fee currency' }];
  // `fee_btc`, `Fee EUR`: a fee with its currency.
  const rest = words.filter((word) => !feeWord.test(word));
  if (isFee && rest.length > 0 && rest.every((word) => quoteRank(word.toUpperCase()) > 0))
    return [{ column, field: 'fee', rank: 20, confidence: 0.8, why: 'its name is typical of a fee' }];
  const [byWhole, byOutside, within] = [fieldsNamedBy(whole), fieldsNamedBy(outside), fieldsNamedWithin(outside)];
  const fields = [...new Set([...byWhole.keys(), ...byOutside.keys(), ...within.keys()])];
  return fields.flatMap((field): FieldCandidate[] => {
    const rank = byWhole.get(field) ?? byOutside.get(field);
    if (field === 'account' && !namesAccounts(column)) return [];
    if (rank !== undefined && (byWhole.has(field) || !isStrange || !numbers.has(field)))
      return [{ column, field, rank, confidence: rank < 6 ? 0.9 : 0.8, why: `its name is typical of ${field}` }];
    const index = within.get(field);
    if (index === undefined || exactOnly.has(field) || (isStrange && field !== 'date')) return [];
    if (isFee && field !== 'fee' && field !== 'feeAsset') return [];
    if (words.includes('per') && field !== 'price' && numbers.has(field)) return [];
    if (field === 'date' && words.some((word) => openingWords.has(word))) return [];
    return [{ column, field, rank: index + 100, confidence: 0.6, why: `its name contains a word for ${field}` }];
  });
}

/** Counts the cells in a row that look like headers. */
export function countHeaders(row: Row): number {
  return row.cells.filter((cell) => {
    const { whole, outside } = wordsOfHeader(cell.trim());
    return fieldsNamedBy(whole).size > 0 || fieldsNamedWithin(outside).size > 0;
  }).length;
}

const orderedShape = /^order (?:price|qty|quantity|amount|value|size|total)$/;
const coinWords: ReadonlySet<string> = new Set(['coin', 'currency', 'asset', 'token', 'symbol', 'unit', 'ccy', 'cur']);
const feeWord = /^(?:fees?|commissions?|charges?)$/;
const openingWords: ReadonlySet<string> = new Set(
  splitWords('acquired|purchase|opened|updated|settle|settlement|expiry|expiration|birth'),
);

/** Fields whose names must match in full, because they mean nothing within a longer name. */
const exactOnly = fieldSet(
  ['status', 'label', 'time', 'quote', 'account', 'externalId', 'toAccount', 'sentAsset'],
  ['receivedAsset', 'sentQuantity', 'receivedQuantity', 'debit', 'credit', 'effect', 'expiration'],
  ['maturity', 'strike', 'right', 'multiplier', 'tax', 'ratio'],
);
const numbers = fieldSet(['quantity', 'price', 'amount', 'total', 'fee', 'sentQuantity', 'receivedQuantity']);

/** Lowers a name's confidence if the values do not fit it. */
function judge(candidate: FieldCandidate): FieldCandidate {
  const fits = valueTests[candidate.field];
  const { samples } = candidate.column;
  if (fits === undefined || samples.length === 0) return candidate;
  const share = samples.filter(fits).length / samples.length;
  if (share >= 0.9) return { ...candidate, confidence: tenths(candidate.confidence + 0.1) };
  const why = share >= 0.5 ? 'some values do not fit' : 'but its values do not fit';
  const confidence = share >= 0.5 ? tenths(candidate.confidence - 0.2) : 0.2;
  return { ...candidate, confidence, why: `${candidate.why}, ${why}` };
}

function tenths(confidence: number): number {
  return Math.round(Math.min(confidence, 1) * 10) / 10;
}

export const isNumber = (text: string): boolean =>
  (readMeasure(text) ?? readMeasure(text, 'decimal comma')) !== undefined;
export const isEpoch = (text: string): boolean => /^[1-3]\d{9}(?:\d{3})?$/.test(text);
export const isSerialDay = (text: string): boolean => readSerialDay(text, 'UTC', 'UTC') !== undefined;
const isDate = (text: string): boolean => {
  const plain = plainDate(text);
  return Object.values(dateOrders).some((order) => readTime(plain, 'UTC', 'UTC', order) !== undefined);
};
const isWhen = (text: string): boolean => isDate(text) || isEpoch(text) || isSerialDay(text);
export const isPair = (text: string): boolean => {
  const upper = text.toUpperCase();
  if (/^[A-Z0-9]{2,10}[-/_][A-Z]{3,5}$/.test(upper)) return true;
  return (
    quoteRank(upper) === 0 &&
    /^[A-Z0-9]{2,6}(?:USDT|USDC|USD|EUR|GBP|BTC|ETH|JPY|INR|KRW|BRL|MXN|ZAR|CAD|AUD|NZD|CHF|SGD|PLN)$/.test(upper) &&
    upper.length >= 6
  );
};
const isSymbol = (text: string): boolean => /^[A-Z][A-Z0-9.]{0,9}$/.test(text) && !isPair(text) && !isCurrency(text);
const isTicker = (text: string): boolean =>
  /^[\p{L}\d][\p{L}\d.\-/&':]*(?: [\p{L}\d.\-/&':]+){0,6}$/u.test(text) &&
  text.length <= 60 &&
  !kindShape.test(text) &&
  (!isNumber(text) || /^\d{4}$/.test(text) || isCusipOfDigits(text)) &&
  !(/\d\D\d/.test(text) && isDate(text));

/**
 * Returns whether a text is a CUSIP with only digits: eight digits and a check digit. Every second digit is doubled,
 * and all digits are added up.
 */
function isCusipOfDigits(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const doubled = [...text.slice(0, 8)].map((digit, at) => Number(digit) * (at % 2 === 1 ? 2 : 1));
  const sum = doubled.reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0);
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}

/** Whether a text is the symbol of an option or future, or a currency pair. */
export const isContract = (text: string): boolean =>
  identifyInstrument(text).kind !== 'asset' || isCurrencyPair(text.toUpperCase());

/** Words for transaction types, which look like tickers but are not assets. */
const tradeShape =
  /^(?:buy|sell|bought|sold|trades?|orders?|fills?|deposit|withdrawal|dividend|interest|split|transfer|reinvest(?:ment)?|buy to open|sell to close)$/i;

/** Words for asset classes, which are not assets. */
const kindShape =
  /^(?:stocks?|shares?|equity|equities|securit(?:y|ies)|crypto(?:currency|currencies|asset)?|etfs?|cfds?|bonds?|options?|funds?|cash|fiat|forex|futures?|actions?|obligations?|aktien?|anleihen?|acciones|azioni|ações|aandelen)$/i;

const numericFields = fieldSet(
  ['quantity', 'price', 'amount', 'total', 'debit', 'credit', 'fee', 'sentQuantity'],
  ['receivedQuantity', 'basis', 'strike', 'multiplier', 'tax'],
);

const valueTests: Partial<Record<MappedField, (text: string) => boolean>> = {
  ...Object.fromEntries([...numericFields].map((field) => [field, isNumber])),
  date: isWhen,
  acquired: isDate,
  time: (text) => /^\d{1,2}:\d{2}/.test(text),
  type: (text) => typeOfWord(text) !== undefined,
  // `BRK-B` is a share, not a pair. The second part of a pair is a currency or has at least three letters.
  asset: (text) => (isTicker(text) && !isPair(text) && !tradeShape.test(text)) || isContract(text),
  pair: isPair,
  quote: isTicker,
  sentAsset: isTicker,
  receivedAsset: isTicker,
  feeAsset: isTicker,
  assetClass: (text) => assetClasses.some((known) => known === text.toLowerCase()),
  effect: (text) => effectOfWord(text) !== undefined,
  expiration: isDate,
  maturity: isDate,
  right: (text) => rightOfWord(text) !== undefined,
  ratio: (text) => /^\d[\d.]*(?:\s*(?:[:/]|-?for-?)\s*\d[\d.]*)?$/i.test(text),
  currency: (text) => /^[A-Za-z]{3}$/.test(text) && isCurrency(text),
};

function fieldOfValues(
  samples: readonly string[],
): { field: MappedField; confidence: number; why: string } | undefined {
  const all = (test: (text: string) => boolean): boolean => samples.every(test);
  const read = (field: MappedField, what: string) => ({ field, confidence: 0.5, why: `its values look like ${what}` });
  if (all((text) => isDate(text) && !isNumber(text))) return read('date', 'dates');
  const typed = samples.filter((text) => text.length >= 3 && typeOfWord(text) !== undefined).length;
  if (typed * 2 >= samples.length) return read('type', 'types');
  if (all((text) => isCurrency(text))) return read('currency', 'currencies');
  if (all((text) => rightOfWord(text) !== undefined)) return read('right', 'calls and puts');
  return undefined;
}
