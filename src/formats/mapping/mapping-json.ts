import { isTimeZone } from '../../base/day.ts';
import { isObject } from '../../base/json.ts';
import { assetClasses, transactionTypes } from '../../engine/model.ts';
import { dateOrderCodes } from '../cells/times.ts';
import { findContradictions } from './contradictions.ts';
import { constantNames, escapePointer, type Mapping, type MappingFault, mappedFields } from './mapping.ts';

const members = [
  'columns',
  'dateOrder',
  'epoch',
  'serialDays',
  'fillDown',
  'decimal',
  'signs',
  'types',
  'timeZone',
  'splitQuantity',
  'multipliers',
  'constants',
  'undecided',
];
const columnsMax = 256;
const textLengthMax = 200;

/** Parses a mapping from a JSON value, or returns everything that is wrong with it. */
export function readMapping(value: unknown): { readonly mapping: Mapping } | { readonly faults: MappingFault[] } {
  if (!isObject(value)) return { faults: [{ pointer: '', detail: 'A mapping is a JSON object.' }] };
  const faults = [
    ...unknownNames('', value, members),
    ...faultsOfColumns(value.columns),
    ...faultsOfTypes(value.types),
    ...faultsOfConstants(value.constants),
    ...faultsOfWords(value),
  ];
  if (faults.length > 0) return { faults };
  const mapping = value as unknown as Mapping;
  const contradictions = findContradictions(mapping);
  return contradictions.length > 0 ? { faults: contradictions } : { mapping };
}

function faultsOfColumns(columns: unknown): MappingFault[] {
  const pointer = '/columns';
  if (!isObject(columns) || Object.keys(columns).length === 0)
    return [{ pointer, detail: 'Map each column, for example {"Trade Date": "date", "Ticker": "asset", …}.' }];
  if (Object.keys(columns).length > columnsMax)
    return [{ pointer, detail: `Must have at most ${columnsMax} columns.` }];
  return Object.entries(columns).flatMap(([name, field]) =>
    typeof field === 'string' && mappedFields.some((known) => known === field)
      ? []
      : [{ pointer: `${pointer}/${escapePointer(name)}`, detail: `Must be one of: ${mappedFields.join(', ')}.` }],
  );
}

function faultsOfTypes(types: unknown): MappingFault[] {
  if (types === undefined) return [];
  if (!isObject(types)) return [{ pointer: '/types', detail: 'Must map words in the file to types.' }];
  const known: readonly string[] = [...transactionTypes, 'sign', 'skip'];
  return Object.entries(types)
    .filter(([, type]) => typeof type !== 'string' || !known.includes(type))
    .map(([word]) => ({ pointer: `/types/${escapePointer(word)}`, detail: `Must be one of: ${known.join(', ')}.` }));
}

function faultsOfConstants(constants: unknown): MappingFault[] {
  if (constants === undefined) return [];
  if (!isObject(constants)) return [{ pointer: '/constants', detail: 'Must be an object, like {"currency": "EUR"}.' }];
  const choices: Readonly<Record<string, readonly string[]>> = { type: transactionTypes, assetClass: assetClasses };
  const wrong = Object.entries(constants).flatMap(([name, text]): MappingFault[] => {
    const pointer = `/constants/${escapePointer(name)}`;
    if (typeof text !== 'string' || text.trim() === '' || text.length > textLengthMax)
      return [{ pointer, detail: `Must be text of at most ${textLengthMax} characters.` }];
    if (choices[name]?.includes(text) === false)
      return [{ pointer, detail: `Must be one of: ${choices[name].join(', ')}.` }];
    return name === 'currency' && !/^[A-Z]{3}$/.test(text)
      ? [{ pointer, detail: 'Must be three letters, like USD.' }]
      : [];
  });
  return [...unknownNames('/constants', constants, constantNames), ...wrong];
}

function faultsOfWords(value: Readonly<Record<string, unknown>>): MappingFault[] {
  const { dateOrder, decimal, signs, timeZone } = value;
  const faults: MappingFault[] = [];
  const check = (pointer: string, isRight: boolean, detail: string): void => {
    if (!isRight) faults.push({ pointer, detail });
  };
  check(
    '/dateOrder',
    [undefined, ...dateOrderCodes].some((one) => one === dateOrder),
    `Must be one of: ${dateOrderCodes.join(', ')}.`,
  );
  for (const name of ['epoch', 'serialDays', 'fillDown'])
    check(`/${name}`, value[name] === undefined || typeof value[name] === 'boolean', 'Must be true or false.');
  const { undecided } = value;
  const isTexts = isObject(undecided) && Object.values(undecided).every((why) => typeof why === 'string');
  check('/undecided', undecided === undefined || isTexts, 'Must map columns of the file to questions.');
  check(
    '/decimal',
    [undefined, '.', ','].some((one) => one === decimal),
    '`.` or `,`.',
  );
  check(
    '/signs',
    [undefined, 'quantity', 'amount'].some((one) => one === signs),
    '`quantity` or `amount`.',
  );
  check(
    '/splitQuantity',
    [undefined, 'ratio', 'added'].some((one) => one === value.splitQuantity),
    '`ratio` or `added`.',
  );
  const { multipliers } = value;
  const isNumbers =
    isObject(multipliers) &&
    Object.values(multipliers).every((text) => typeof text === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(text));
  check(
    '/multipliers',
    multipliers === undefined || isNumbers,
    'Must map futures roots to numbers, like {"FDAX": "25"}.',
  );
  const isZone = timeZone === undefined || (typeof timeZone === 'string' && isTimeZone(timeZone));
  check('/timeZone', isZone, 'Must be an IANA time zone, like America/New_York.');
  return faults;
}

function unknownNames(
  pointer: string,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
): MappingFault[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      pointer: `${pointer}/${escapePointer(name)}`,
      detail: `Unknown name. Use one of: ${known.join(', ')}.`,
    }));
}
