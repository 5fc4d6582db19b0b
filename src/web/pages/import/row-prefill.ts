import { parseTypedDay, parseTypedMoney, parseTypedQuantity } from '../../../base/typed.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import type { RejectedFileLine } from './rejected-lines.ts';

/** The fields of a transaction as the form holds them. */
export type RowTexts = Readonly<Partial<Record<LotbookMember, string>>>;

/** Reads what a row says from its cells and the names of their columns. What is not certain stays empty. */
export function prefillRow(
  { header, amount, text }: Pick<RejectedFileLine, 'header' | 'amount' | 'text'>,
  cells: readonly string[],
  accounts: readonly string[],
): RowTexts {
  const cell = (pattern: RegExp, parse: (cell: string) => string | undefined): string | undefined => {
    for (const [at, name] of header.entries()) {
      const value = pattern.test(name) ? parse((cells[at] ?? '').trim()) : undefined;
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  const found: Record<string, string | undefined> = {
    type: guessType(text),
    date: cell(/date|time/i, (value) => parseTypedDay(value.split(/[T ](?=\d\d?:)/)[0] ?? '')),
    account: cell(/account|portfolio|wallet/i, (value) => findAccount(value, accounts)) ?? only(accounts),
    asset: cell(/^(symbol|ticker|asset|coin|instrument|security|cusip|isin)\b/i, toSymbol),
    quantity: cell(/quantity|qty|shares|units/i, (value) => withoutSign(parseTypedQuantity(value))),
    amount: amount ?? cell(/amount|total|proceeds|net/i, (value) => withoutSign(parseTypedMoney(value))),
    fee: cell(/fee|commission/i, (value) => nonZero(withoutSign(parseTypedMoney(value)))),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Returns what the words of a row suggest. */
export function guessType(text: string): string | undefined {
  return typeWords.find(([pattern]) => pattern.test(text))?.[1];
}

/** The first match counts: the dividend of a merged company is still a merger. An order can be either side. */
const typeWords: readonly (readonly [RegExp, string])[] = [
  [/\bmerger|acquisition|tender offer/i, 'merger'],
  [/\bspin-?\s?off/i, 'spinoff'],
  [/\bsplit\b/i, 'split'],
  [/\b(sold|sell|sale|redemption|redeemed)\b/i, 'sell'],
  [/\b(bought|buy|purchase|purchased)\b/i, 'buy'],
  [/\bdividend/i, 'dividend'],
  [/\binterest\b/i, 'interest'],
];

/** A file may shorten the name of the account: `Brokerage` is `Brokerage 3333` if no other starts so. */
function findAccount(value: string, accounts: readonly string[]): string | undefined {
  if (value === '') return undefined;
  if (accounts.includes(value)) return value;
  return only(accounts.filter((account) => account.startsWith(value) || account.endsWith(value)));
}

function only(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}

function toSymbol(value: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9.\-/]{0,19}$/.test(value) ? value : undefined;
}

function withoutSign(value: string | undefined): string | undefined {
  return value?.replace(/^-/, '');
}

function nonZero(value: string | undefined): string | undefined {
  return value === undefined || /^[0.]*$/.test(value) ? undefined : value;
}
