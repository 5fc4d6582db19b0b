import {
  constantNames,
  escapePointer,
  findMappedColumn,
  type MappedField,
  type Mapping,
  type MappingFault,
} from './mapping.ts';

/** Fields that several columns can hold. Fees are added up, and accounts must agree. */
export const sharedFields: ReadonlySet<MappedField> = new Set(['fee', 'account']);

/** Finds contradictions between parts of a mapping that are valid on their own. */
export function findContradictions(mapping: Mapping): MappingFault[] {
  const { columns, constants = {}, epoch, dateOrder } = mapping;
  const fields = Object.values(columns);
  const faults: MappingFault[] = [];
  const isMapped = (field: MappedField): boolean => fields.includes(field);
  const check = (pointer: string, isWrong: boolean, detail: string): void => {
    if (isWrong) faults.push({ pointer, detail });
  };
  const twice = Object.entries(columns).filter(([, field], index) => fields.indexOf(field) < index);
  for (const [column, field] of twice.filter(([, held]) => !sharedFields.has(held)))
    check(
      `/columns/${escapePointer(column)}`,
      true,
      `"${findMappedColumn(mapping, field)}" is already mapped to ${field}.`,
    );
  for (const name of constantNames) {
    const isBoth = constants[name] !== undefined && name !== 'account' && isMapped(name);
    check(
      `/constants/${name}`,
      isBoth,
      `A column is already mapped to ${name}. Use the column or the constant, not both.`,
    );
  }
  check('/columns', !isMapped('date'), 'No column is mapped to the date.');
  for (const field of ['asset', 'currency', 'quote'] as const) {
    const isBoth = isMapped('pair') && (isMapped(field) || (field !== 'quote' && constants[field] !== undefined));
    check('/columns', isBoth, `The pair already contains the ${field}. Map only one of them.`);
  }
  const hasAsset = isMapped('asset') || isMapped('pair') || constants.asset !== undefined;
  const isTyped = isMapped('type') || constants.type !== undefined || isMapped('sentQuantity');
  check('/columns', !hasAsset && !isTyped, 'No column or constant is mapped to the asset.');
  check('/epoch', epoch === true && (dateOrder !== undefined || isMapped('time')), countHasNoOrder);
  check('/epoch', epoch === true && mapping.serialDays === true, 'Times are either seconds or days. Set only one.');
  return [...faults, ...contradictionsOfSigns(mapping, isMapped)];
}

const countHasNoOrder = 'Seconds since 1970 need no date order and no time column.';

function contradictionsOfSigns(mapping: Mapping, isMapped: (field: MappedField) => boolean): MappingFault[] {
  const { constants = {}, signs, types } = mapping;
  const faults: MappingFault[] = [];
  const check = (pointer: string, isWrong: boolean, detail: string): void => {
    if (isWrong) faults.push({ pointer, detail });
  };
  const untyped = 'These words are for the type, but no column is mapped to it.';
  check('/types', types !== undefined && !isMapped('type'), untyped);
  check(
    '/signs',
    signs !== undefined && constants.type !== undefined,
    'All rows have the same type, so "signs" has no effect. Use only one of them.',
  );
  const hasUnits = isMapped('quantity');
  check(
    '/signs',
    signs === 'quantity' && !hasUnits,
    '"signs" uses the sign of the quantity, but no column is mapped to it.',
  );
  const hasMoney = (['amount', 'total', 'debit', 'credit'] as const).some(isMapped);
  const noMoney = '"signs" uses the sign of the amount, but no column is mapped to the amount or total.';
  check('/signs', signs === 'amount' && !hasMoney, noMoney);
  const asksSign = signs === undefined && Object.values(types ?? {}).includes('sign');
  check('/types', asksSign, 'Set "signs" to the value whose sign determines the type.');
  return faults;
}
