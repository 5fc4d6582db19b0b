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

type BigintKey<T> = T extends unknown
  ? { [Name in keyof T]-?: [Extract<T[Name], bigint>] extends [never] ? never : Name }[keyof T]
  : never;

/** The names of the fields that are bigints, or bigints or null. The compiler refuses a list that lacks one. */
const bigintFields: Readonly<
  Record<
    BigintKey<
      | OpenLot
      | OpenLoss
      | OpenShort
      | OpenPut
      | CoveredCall
      | WrittenOption
      | Transit
      | Deferral
      | Distribution
      | ClassQuestion
      | AverageBasis
      | NotOnForm1099
      | LotDebt
      | LotPlan
      | Disposal
    >,
    true
  >
> = {
  quantity: true,
  used: true,
  wholeQuantity: true,
  wholeBasis: true,
  basisTaken: true,
  unitBasis: true,
  unitQuantity: true,
  lossBasis: true,
  lossTaken: true,
  shares: true,
  matched: true,
  loss: true,
  gain: true,
  ended: true,
  disallowed: true,
  wholeProceeds: true,
  proceedsTaken: true,
  heldLong: true,
  heldShort: true,
  married: true,
  lossSoFar: true,
  wholePremium: true,
  premiumTaken: true,
  lessFee: true,
  paid: true,
  takenQuantity: true,
  takenBasis: true,
  wholeStepUp: true,
  stepUp: true,
  claimed: true,
  proceeds: true,
  basis: true,
  adjustment: true,
  accrued: true,
  spread: true,
  discount: true,
  fundValue: true,
};

function revive(name: string, value: unknown): unknown {
  if (typeof value === 'string') return Object.hasOwn(bigintFields, name) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((member) => revive('', member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(key, member)]));
}
