import { columnOf, constantNames, escaped, type MappedField, type Mapping, type MappingFault } from './mapping.ts';

/** Fields that several columns may hold: fees are added, and accounts must agree. */
export const sharedFields: ReadonlySet<MappedField> = new Set(['fee', 'account']);

/** Checks what each part of a mapping allows and all of them together do not. */
export function contradictionsIn(mapping: Mapping): MappingFault[] {
  const { columns, constants = {}, epoch, dateOrder } = mapping;
  const fields = Object.values(columns);
  const faults: MappingFault[] = [];
  const isMapped = (field: MappedField): boolean => fields.includes(field);
  const check = (pointer: string, isWrong: boolean, detail: string): void => {
    if (isWrong) faults.push({ pointer, detail });
  };
  const twice = Object.entries(columns).filter(([, field], index) => fields.indexOf(field) < index);
  for (const [column, field] of twice.filter(([, held]) => !sharedFields.has(held)))
    check(`/columns/${escaped(column)}`, true, `"${columnOf(mapping, field)}" holds the ${field} already.`);
  for (const name of constantNames) {
    const isBoth = constants[name] !== undefined && name !== 'account' && isMapped(name);
    check(`/constants/${name}`, isBoth, `A column holds the ${name}: say one or the other.`);
  }
  check('/columns', !isMapped('date'), 'No column holds the date.');
  for (const field of ['asset', 'currency'] as const) {
    const isBoth = isMapped('pair') && (isMapped(field) || constants[field] !== undefined);
    check('/columns', isBoth, `The pair says the ${field}: map one of them.`);
  }
  check(
    '/columns',
    isMapped('pair') && isMapped('quote'),
    'The pair says what the asset is traded for: map one of them.',
  );
  const hasAsset = isMapped('asset') || isMapped('pair') || constants.asset !== undefined;
  const isTyped = isMapped('type') || constants.type !== undefined || isMapped('sentQuantity');
  check('/columns', !hasAsset && !isTyped, 'No column holds the asset, and no constant names it.');
  check('/epoch', epoch === true && (dateOrder !== undefined || isMapped('time')), countHasNoOrder);
  check('/epoch', epoch === true && mapping.serialDays === true, 'Times are counted in seconds or in days: say one.');
  return [...faults, ...contradictionsOfSigns(mapping, isMapped)];
}

const countHasNoOrder = 'A count of seconds has no order and no time beside it.';

function contradictionsOfSigns(mapping: Mapping, isMapped: (field: MappedField) => boolean): MappingFault[] {
  const { constants = {}, signs, types } = mapping;
  const faults: MappingFault[] = [];
  const check = (pointer: string, isWrong: boolean, detail: string): void => {
    if (isWrong) faults.push({ pointer, detail });
  };
  const untyped = 'No column holds the type that these words stand for.';
  check('/types', types !== undefined && !isMapped('type'), untyped);
  check(
    '/signs',
    signs !== undefined && constants.type !== undefined,
    'All rows have one type: their sign can say nothing.',
  );
  const hasUnits = isMapped('quantity');
  check('/signs', signs === 'quantity' && !hasUnits, 'No column holds the quantity whose sign this is.');
  const hasMoney = (['amount', 'total', 'debit', 'credit'] as const).some(isMapped);
  const noMoney = 'No column holds the amount or the total whose sign this is.';
  check('/signs', signs === 'amount' && !hasMoney, noMoney);
  const asksSign = signs === undefined && Object.values(types ?? {}).includes('sign');
  check('/types', asksSign, 'Say in "signs" whose sign it is.');
  return faults;
}
