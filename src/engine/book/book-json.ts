import type { Disposal } from '../model.ts';
import type {
  AverageBasis,
  Book,
  CoveredCall,
  Distribution,
  LotDebt,
  LotPlan,
  NotOnForm1099,
  OpenLoss,
  OpenLot,
  OpenPut,
  OpenShort,
  Transit,
  WrittenOption,
} from './book.ts';
import type { ClassQuestion } from './class-question.ts';
import type { Deferral } from './deferral.ts';

/** Converts a book to JSON. Bigints become strings, and `bookFromJson` recognizes them by field name. */
export function bookToJson(book: Book): unknown {
  return JSON.parse(
    JSON.stringify(book, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  );
}

export function bookFromJson(json: unknown): Book {
  const revived = revive('', json) as Book;
  return { ...revived, centsRemainders: revived.centsRemainders.map(([name, remainder]) => [name, BigInt(remainder)]) };
}

const bigintFields: ReadonlySet<string> = new Set<
  | keyof OpenLot
  | keyof OpenLoss
  | keyof OpenShort
  | keyof OpenPut
  | keyof CoveredCall
  | keyof WrittenOption
  | keyof Transit
  | keyof Deferral
  | keyof Distribution
  | keyof ClassQuestion
  | keyof AverageBasis
  | keyof NotOnForm1099
  | keyof LotDebt
  | keyof LotPlan
  | keyof Disposal
>([
  'quantity',
  'used',
  'wholeQuantity',
  'wholeBasis',
  'basisTaken',
  'unitBasis',
  'unitQuantity',
  'lossBasis',
  'lossTaken',
  'shares',
  'matched',
  'loss',
  'gain',
  'ended',
  'disallowed',
  'wholeProceeds',
  'proceedsTaken',
  'heldLong',
  'heldShort',
  'married',
  'lossSoFar',
  'wholePremium',
  'premiumTaken',
  'lessFee',
  'paid',
  'takenQuantity',
  'takenBasis',
  'wholeStepUp',
  'stepUp',
  'claimed',
  'proceeds',
  'basis',
  'adjustment',
  'accrued',
  'spread',
  'discount',
]);

function revive(name: string, value: unknown): unknown {
  if (typeof value === 'string') return bigintFields.has(name) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((member) => revive('', member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(key, member)]));
}
