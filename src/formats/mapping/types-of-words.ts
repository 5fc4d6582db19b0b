import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import type { MappedField, Mapping } from './mapping.ts';
import { plainWords, typeOfWord } from './type-words.ts';

/** Returns types for words that are clear in this file but not in general. */
export function typesOfWords(
  fields: readonly FieldCandidate[],
  columns: readonly SampledColumn[],
): NonNullable<Mapping['types']> {
  return { ...readSideLetters(fields), ...findFundWords(fields, columns) };
}

/**
 * Reads the letters in columns such as `B/S`, `K/V` and `A/V`. In any language, the header's first letter means buy and
 * the second sell.
 */
function readSideLetters(fields: readonly FieldCandidate[]): Readonly<Record<string, 'buy' | 'sell'>> {
  const column = fields.find(({ field }) => field === 'type')?.column;
  const [, buys = '', sells = ''] = /^(b|k|a|c) (s|v)$/.exec(column?.whole ?? '') ?? [];
  const isLetter = (text: string): boolean => [buys, sells].includes(text.toLowerCase());
  if (column === undefined || buys === '' || !column.samples.every(isLetter)) return {};
  return { [buys.toUpperCase()]: 'buy', [sells.toUpperCase()]: 'sell' };
}

/** Reads a redemption as a sale in a file of funds with units and money, because a fund redeems its units for money. */
function findFundWords(
  fields: readonly FieldCandidate[],
  columns: readonly SampledColumn[],
): Record<string, 'buy' | 'sell'> {
  const of = (field: MappedField): readonly string[] => fields.find((one) => one.field === field)?.column.values ?? [];
  const isOfFunds = columns.some(({ whole }) => / (?:nav|nav price|fund|fund name|fonds) /.test(` ${whole} `));
  const [types, units, money] = [of('type'), of('quantity'), of('amount').length > 0 ? of('amount') : of('total')];
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
