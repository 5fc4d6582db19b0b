import type { TransactionType } from '../../engine/model.ts';
import { rowOf, typesWhere } from '../../engine/transaction-types.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import type { MappedValues } from './mapped-values.ts';
import type { MappedType, Mapping } from './mapping.ts';
import { isDirectionless, typeOfWord } from './type-words.ts';

/** The type from a row's words. `sign` means that the sign or the two sides determine it. */
export type StatedType = TransactionType | 'sign';

/** Determines row types from the mapping's constant, words and signs. */
export class RowTypes {
  private readonly words: ReadonlyMap<string, MappedType>;

  constructor(private readonly mapping: Mapping) {
    this.words = new Map(Object.entries(mapping.types ?? {}).map(([word, type]) => [word.trim().toLowerCase(), type]));
  }

  /** Returns an outcome if the row is skipped, and null if it is rejected. */
  statedType(values: MappedValues): StatedType | Outcome | null {
    const { constants } = this.mapping;
    if (constants?.type !== undefined) return constants.type;
    if (!values.has('type')) return this.refineByLabel(values, 'sign');
    const word = values.text('type');
    const meant = this.words.get(word.toLowerCase()) ?? typeOfWord(word);
    if (meant === 'skip') return values.cells.skip(skips.skippedByMapping(word.slice(0, 80)));
    if (meant !== undefined) return this.refineByLabel(values, meant);
    const decides = values.has('sentQuantity') || this.mapping.signs !== undefined || values.text('label') !== '';
    if (decides && (word === '' || isDirectionless(word))) return this.refineByLabel(values, 'sign');
    values.cells.reject(values.column('type'), rejections.unmappedWord);
    return null;
  }

  /** Chooses the type by the row's sign. `more` is positive if the sign means more units or less money. */
  bySign(
    values: MappedValues,
    statedType: StatedType,
    more: bigint | null,
    units: bigint | null,
  ): TransactionType | null {
    const { signs } = this.mapping;
    const pairs = values.has('pair') || values.has('quote');
    const isOpen = statedType === 'sign' || (statedType === 'trade' && pairs && signs !== undefined);
    if (!isOpen) return this.agreeing(values, statedType as TransactionType, more, units);
    if (signs === undefined || more === null || more === 0n) {
      values.cells.reject(signs === undefined ? null : this.signColumn(values), rejections.sideMissing);
      return null;
    }
    const hasMoney = moneys.some((field) => values.has(field));
    return more > 0n ? (hasMoney ? 'buy' : 'deposit') : hasMoney ? 'sell' : 'withdrawal';
  }

  /** Returns the column whose sign sets the direction. */
  signColumn(values: MappedValues): string {
    if (this.mapping.signs === 'quantity') return values.column('quantity');
    return values.column(moneys.find((field) => field !== 'price' && values.has(field)) ?? 'amount');
  }

  /** Rejects rows that contradict the file's signs, such as a positive sale in a file that writes sales as negative. */
  private agreeing(
    values: MappedValues,
    type: TransactionType,
    more: bigint | null,
    units: bigint | null,
  ): TransactionType | null {
    const { signs } = this.mapping;
    if ((units ?? 0n) < 0n && findTypeDirection(type, 'quantity') === 'in') {
      values.cells.reject(values.column('quantity'), rejections.signContradicts);
      return null;
    }
    if (signs === undefined || more === null || more === 0n) return type;
    const direction = findTypeDirection(type, signs);
    if (direction === undefined || more > 0n === (direction === 'in')) return type;
    values.cells.reject(this.signColumn(values), rejections.signContradicts);
    return null;
  }

  /** Returns the type for the row's label. Undefined if the label is empty or not in the mapping. */
  ofLabel(values: MappedValues): MappedType | undefined {
    const label = values.text('label');
    return label === '' ? undefined : (this.words.get(label.toLowerCase()) ?? typeOfWord(label));
  }

  /** Replaces a transfer or trade with the label's type, which is more specific. */
  private refineByLabel(values: MappedValues, type: StatedType): StatedType | null {
    const label = values.text('label');
    if (label === '' || isDirectionless(label)) return type;
    const meant = this.ofLabel(values);
    const isTyped = meant !== undefined && meant !== 'skip' && meant !== 'sign';
    if (isTyped && (refined.has(type) || type === meant || refines(type, meant))) return meant;
    values.cells.reject(values.column('label'), rejections.unmappedWord);
    return null;
  }
}

/**
 * Returns whether the label's type refines the row's: `Buy` with `Buy to Open`, `Sell` with `Short`, and buy or sell in
 * the row of a split, an exercise or an expiration.
 */
function refines(type: StatedType, meant: TransactionType): boolean {
  if (type !== 'buy' && type !== 'sell') return false;
  return rowOf(meant).side === type || events.has(meant);
}

const events: ReadonlySet<TransactionType> = new Set<TransactionType>(['split', 'expire', 'exercise', 'assign']);

/** Returns the direction of units that the type implies. In trades, money moves in the opposite direction. */
export function findTypeDirection(type: TransactionType, signs: 'quantity' | 'amount'): 'in' | 'out' | undefined {
  const { side } = rowOf(type);
  if (side !== undefined) return side === 'buy' ? 'in' : 'out';
  if (signs === 'amount') return undefined;
  return type === 'deposit' ? 'in' : outgoingTypes.has(type) ? 'out' : undefined;
}

const outgoingTypes = typesWhere((row) => row.isOutgoing);
const refined: ReadonlySet<StatedType> = new Set<StatedType>(['sign', 'deposit', 'withdrawal', 'trade', 'transfer']);
const moneys = ['amount', 'total', 'debit', 'credit', 'price'] as const;
