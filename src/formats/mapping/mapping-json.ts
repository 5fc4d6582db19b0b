import { isTimeZone } from '../../base/day.ts';
import { isObject } from '../../base/json.ts';
import { assetClasses, transactionTypes } from '../../engine/model.ts';
import { dateOrderCodes } from '../cells/times.ts';
import {
  constantNames,
  escapePointer,
  findMappedColumn,
  type MappedField,
  type Mapping,
  type MappingFault,
  mappedFields,
  sharedFields,
} from './mapping.ts';

const members =
  'columns dateOrder epoch serialDays fillDown decimal signs types timeZone splitQuantity multipliers constants undecided'.split(
    ' ',
  );
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

/** The members besides columns, types and constants: whether a value fits, and what it must be. */
const checks: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, detail: string]>> = {
  dateOrder: [isOneOf(...dateOrderCodes), `Must be one of: ${dateOrderCodes.join(', ')}.`],
  epoch: [isBoolean, 'Must be true or false.'],
  serialDays: [isBoolean, 'Must be true or false.'],
  fillDown: [isBoolean, 'Must be true or false.'],
  undecided: [(value) => areTexts(value, /^/), 'Must map columns of the file to questions.'],
  decimal: [isOneOf('.', ','), '`.` or `,`.'],
  signs: [isOneOf('quantity', 'amount'), '`quantity` or `amount`.'],
  splitQuantity: [isOneOf('ratio', 'added'), '`ratio` or `added`.'],
  multipliers: [
    (value) => areTexts(value, /^\d{1,9}(?:\.\d{1,9})?$/),
    'Must map futures roots to numbers, like {"FDAX": "25"}.',
  ],
  timeZone: [
    (value) => typeof value === 'string' && isTimeZone(value),
    'Must be an IANA time zone, like America/New_York.',
  ],
};

function faultsOfWords(value: Readonly<Record<string, unknown>>): MappingFault[] {
  return Object.entries(checks)
    .filter(([name, [fits]]) => value[name] !== undefined && !fits(value[name]))
    .map(([name, [, detail]]) => ({ pointer: `/${name}`, detail }));
}

function isOneOf(...words: readonly string[]): (value: unknown) => boolean {
  return (value) => words.some((word) => word === value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function areTexts(value: unknown, shape: RegExp): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string' && shape.test(text));
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

/** Finds contradictions between parts of a mapping that are valid on their own. */
function findContradictions(mapping: Mapping): MappingFault[] {
  const { columns, constants = {}, epoch, dateOrder, signs, types } = mapping;
  const fields = Object.values(columns);
  const isMapped = (field: MappedField): boolean => fields.includes(field);
  const twice = Object.entries(columns).filter(
    ([, field], index) => fields.indexOf(field) < index && !sharedFields.has(field),
  );
  const hasAsset = isMapped('asset') || isMapped('pair') || constants.asset !== undefined;
  const isTyped = isMapped('type') || constants.type !== undefined || isMapped('sentQuantity');
  const hasMoney = (['amount', 'total', 'debit', 'credit'] as const).some(isMapped);
  const checks: readonly (readonly [pointer: string, isWrong: boolean, detail: string])[] = [
    ...twice.map(([column, field]) => {
      const detail = `"${findMappedColumn(mapping, field)}" is already mapped to ${field}.`;
      return [`/columns/${escapePointer(column)}`, true, detail] as const;
    }),
    ...constantNames.map((name) => {
      const detail = `A column is already mapped to ${name}. Use the column or the constant, not both.`;
      return [
        `/constants/${name}`,
        constants[name] !== undefined && name !== 'account' && isMapped(name),
        detail,
      ] as const;
    }),
    ['/columns', !isMapped('date'), 'No column is mapped to the date.'],
    ...(['asset', 'currency', 'quote'] as const).map((field) => {
      const isBoth = isMapped('pair') && (isMapped(field) || (field !== 'quote' && constants[field] !== undefined));
      return ['/columns', isBoth, `The pair already contains the ${field}. Map only one of them.`] as const;
    }),
    ['/columns', !hasAsset && !isTyped, 'No column or constant is mapped to the asset.'],
    [
      '/epoch',
      epoch === true && (dateOrder !== undefined || isMapped('time')),
      'Seconds since 1970 need no date order and no time column.',
    ],
    ['/epoch', epoch === true && mapping.serialDays === true, 'Times are either seconds or days. Set only one.'],
    [
      '/types',
      types !== undefined && !isMapped('type'),
      'These words are for the type, but no column is mapped to it.',
    ],
    [
      '/signs',
      signs !== undefined && constants.type !== undefined,
      'All rows have the same type, so "signs" has no effect. Use only one of them.',
    ],
    [
      '/signs',
      signs === 'quantity' && !isMapped('quantity'),
      '"signs" uses the sign of the quantity, but no column is mapped to it.',
    ],
    [
      '/signs',
      signs === 'amount' && !hasMoney,
      '"signs" uses the sign of the amount, but no column is mapped to the amount or total.',
    ],
    [
      '/types',
      signs === undefined && Object.values(types ?? {}).includes('sign'),
      'Set "signs" to the value whose sign determines the type.',
    ],
  ];
  return checks.filter(([, isWrong]) => isWrong).map(([pointer, , detail]) => ({ pointer, detail }));
}
