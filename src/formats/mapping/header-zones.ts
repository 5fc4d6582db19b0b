import { readZone } from '../cells/times.ts';
import type { Row } from '../format.ts';
import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import type { MappedField, Mapping } from './mapping.ts';
import { plainWords } from './type-words.ts';

/** A file's time zone, from its headers, a zone column or the lines above the table. */
export interface StatedZone {
  readonly settings: Pick<Mapping, 'timeZone'>;
  readonly undecided: Readonly<Record<string, string>>;
}

export function findStatedZone(
  fields: readonly FieldCandidate[],
  columns: readonly SampledColumn[],
  above: readonly Row[],
): StatedZone {
  const timed = fields.filter(({ field }) => timeFields.has(field)).map(({ column }) => column);
  const [first] = timed;
  if (first === undefined) return nothing;
  const named = timed.flatMap(({ name }) => zonesInHeader(name));
  const ofColumn = columns.find(({ whole }) => whole === 'timezone' || whole === 'time zone' || whole === 'tz');
  const stated = ofColumn?.samples.map((text) => readZone(text) ?? null) ?? [];
  const titled = above.flatMap(({ cells }) => cells.flatMap(zonesInTitle));
  const zones = [...new Set(named.length > 0 ? named : stated.length > 0 ? stated : titled)];
  const [zone, ...others] = zones;
  if (zone === undefined) return nothing;
  if (zone !== null && others.length === 0) return { settings: { timeZone: zone }, undecided: {} };
  const source = named.length === 0 && stated.length > 0 && ofColumn !== undefined ? ofColumn : first;
  return { settings: {}, undecided: { [source.name]: others.length > 0 ? several : unknown } };
}

const nothing: StatedZone = { settings: {}, undecided: {} };
const several = 'The file names several time zones. Set the time zone of its times.';
const unknown = 'This name of a time zone has several meanings. Set the time zone of the times.';
const timeFields: ReadonlySet<MappedField> = new Set(['date', 'time', 'openedAt']);

/** Returns the zones named in a header. A name with several meanings becomes null. */
export function zonesInHeader(name: string): (string | null)[] {
  const header = name.slice(0, lengthMax);
  const offset = /(?:^|[^A-Za-z])(?:UTC|GMT)[\s_]*([+\-\u2212]\s?\d{1,2}(?::?\d{2})?)/i.exec(header)?.[1];
  if (offset !== undefined) return [readZone(offset.replace(/\s/, '')) ?? null];
  const brackets = [...header.matchAll(/[([（]([^()[\]（）]*)[)\]）]/g)].map(([, text = '']) => text.trim());
  const words = header.split(/[^A-Za-z/_]+/).filter((word) => word.length > 2);
  // `date_jst`: a zone in lowercase letters within a name, unless it is a separate word.
  const parts = words.flatMap((word) => word.split('_')).filter((word) => /^[a-z]{3,4}$/.test(word) && word !== 'west');
  const timeZone = [...brackets, ...words, ...parts.map((part) => part.toUpperCase())]
    .map((text) => readZone(text))
    .find((zone) => zone !== undefined);
  if (timeZone !== undefined) return [timeZone];
  if (/(?:^| )(?:utc|gmt)(?: |$)/.test(plainWords(header))) return ['UTC'];
  const spoken = /(?:eastern|central|mountain|pacific) time/i.exec(header)?.[0];
  if (spoken !== undefined) return [readZone(spoken) ?? null];
  return [...brackets, ...words].some((text) => ambiguous.has(text)) ? [null] : [];
}

/** Abbreviations with several meanings, and words for a zone that the header does not name. */
const ambiguous: ReadonlySet<string> = new Set(['IST', 'AST', 'GST', 'PHT', 'WIB']);

/** Returns the zones in a title such as `Time zone: UTC+8` or `All times in EST`. */
function zonesInTitle(text: string): (string | null)[] {
  const shape = /\b(?:time ?zone|times? (?:are |is )?(?:shown |given )?in)\b\s*[:=]?\s*([^,;|]{2,40})$/i;
  const named = shape.exec(text.slice(0, titleMax))?.[1]?.trim();
  if (named === undefined) return [];
  return [readZone(named) ?? readZone(named.replace(/^\(|\)$/g, '')) ?? null];
}

const lengthMax = 100;
const titleMax = 200;
