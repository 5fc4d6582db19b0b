import type { MappedConstants, MappedField, MappedType, Mapping } from '../../../../formats/mapping/mapping.ts';
import type { MappingProposal } from '../../../../formats/mapping/mapping-proposal.ts';
import type { Problem } from '../../../api/problem.ts';
import type { CsvLine } from '../../../format/csv.ts';

/** Returns the API's mapping proposal for a file of unknown format, or null if the API found no table. */
export function findProposal({ members }: Problem): MappingProposal | null {
  return typeof members.proposal === 'object' ? (members.proposal as MappingProposal | null) : null;
}

/** Returns the first rows of a table that the browser cannot read, because it is in a ZIP or workbook. */
export function findFirstRows({ members }: Problem): readonly CsvLine[] | null {
  return Array.isArray(members.firstRows) ? (members.firstRows as CsvLine[]) : null;
}

/** Fields that several columns can hold. */
const shared: ReadonlySet<MappedField> = new Set(['fee', 'account']);

/** Returns the mapping with a different field for a column. Null ignores the column. */
export function withField(mapping: Mapping, column: string, field: MappedField | null): Mapping {
  const others = Object.entries(mapping.columns).filter(
    ([name, held]) => name !== column && (held !== field || shared.has(held)),
  );
  const columns = Object.fromEntries(field === null ? others : [...others, [column, field]]);
  const undecided = Object.fromEntries(Object.entries(mapping.undecided ?? {}).filter(([name]) => name !== column));
  const { undecided: _before, ...rest } = mapping;
  return { ...rest, columns, ...(Object.keys(undecided).length === 0 ? {} : { undecided }) };
}

/** Returns the mapping with a different type for one of the file's type names. Null restores the default. */
export function withType(mapping: Mapping, word: string, type: MappedType | null): Mapping {
  return withEntry(mapping, 'types', word, type ?? '');
}

/** Returns the mapping with a different value that no column contains. '' removes it. */
export function withConstant(mapping: Mapping, name: keyof MappedConstants, text: string): Mapping {
  return withEntry(mapping, 'constants', name, text);
}

export const fileSettings = ['dateOrder', 'decimal', 'signs', 'timeZone', 'splitQuantity'] as const;

/** Returns the mapping with a different file setting. '' detects it from the rows. */
export function withSetting(mapping: Mapping, name: (typeof fileSettings)[number], value: string): Mapping {
  const { [name]: _before, ...rest } = mapping;
  return value === '' ? rest : ({ ...rest, [name]: value } as Mapping);
}

/** Returns the mapping with the dollars per point for a future. '' means unknown. */
export function withMultiplier(mapping: Mapping, root: string, text: string): Mapping {
  return withEntry(mapping, 'multipliers', root, text);
}

/** Returns the mapping with a different value in one of its records. '' removes it. An empty record is left out. */
function withEntry(mapping: Mapping, record: 'types' | 'constants' | 'multipliers', name: string, value: string) {
  const { [record]: before = {}, ...rest } = mapping;
  const others = Object.entries(before).filter(([key]) => key !== name);
  const entries = value === '' ? others : [...others, [name, value]];
  return (entries.length === 0 ? rest : { ...rest, [record]: Object.fromEntries(entries) }) as Mapping;
}

export function findField(mapping: Mapping, column: string): MappedField | null {
  return mapping.columns[column] ?? null;
}

/** Returns the column that contains a field, if any. */
export function findColumn(mapping: Mapping, field: MappedField): string | undefined {
  return Object.keys(mapping.columns).find((column) => mapping.columns[column] === field);
}
