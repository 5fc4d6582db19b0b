import { exceedsMoney, exceedsQuantity } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import type { Ratio, Statement } from '../../engine/model.ts';
import { membersOfKind, type StatementMember, statementMembers } from '../../engine/statement-members.ts';
import { type Rejection, rejections } from './reasons.ts';

/** A value beyond the accepted limits: a single cell, or a sum or product of several. */
interface BeyondLimit extends Rejection {
  readonly member: StatementMember;
  /** The column name in the Lotbook CSV. */
  readonly column: string;
}

/** Returns the first field that exceeds its limit. Absent fields are skipped. */
export function beyondLimits(stated: Partial<Statement>): BeyondLimit | undefined {
  for (const name of names)
    if (isLong(stated[name], limits.nameCharacters)) return tooLong(name, limits.nameCharacters);
  if (isLong(stated.note, limits.noteCharacters)) return tooLong('note', limits.noteCharacters);
  for (const name of moneys) {
    if (isDear(stated[name]))
      return tooLarge(name, `an amount has at most ${limits.moneyDigits} digits before the decimal point`);
  }
  for (const name of quantities) {
    if (isMuch(stated[name]))
      return tooLarge(name, `a quantity has at most ${limits.quantityDigits} digits before the decimal point`);
  }
  const { ratio = null } = stated;
  if (ratio !== null && isExtreme(ratio))
    return tooLarge('ratio', `a ratio must be between 10^-${limits.ratioDigits} and 10^${limits.ratioDigits}`);
  return undefined;
}

function isMuch(units: bigint | null | undefined): boolean {
  return units !== undefined && units !== null && exceedsQuantity(units);
}

function isDear(money: bigint | null | undefined): boolean {
  return money !== undefined && money !== null && exceedsMoney(money);
}

const names = membersOfKind('name');
const moneys = membersOfKind('money');
const quantities = membersOfKind('quantity');
const ratioEnd = 10n ** BigInt(limits.ratioDigits);

function isLong(text: string | undefined, most: number): boolean {
  return text !== undefined && text.length > most;
}

function isExtreme({ numerator, denominator }: Ratio): boolean {
  // A ratio of zero moves no basis. `findFault` (`drafts.ts`) checks which rows may have one.
  if (numerator === 0n) return false;
  return numerator > denominator * ratioEnd || denominator > numerator * ratioEnd;
}

function tooLong(member: StatementMember, most: number): BeyondLimit {
  return { member, column: statementMembers[member].column, ...rejections.tooLong(most) };
}

function tooLarge(member: StatementMember, reason: string): BeyondLimit {
  const { column } = statementMembers[member];
  return { member, column, ...rejections.tooLarge(column.replaceAll('_', ' '), reason) };
}
