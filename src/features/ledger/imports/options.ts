import { t } from 'elysia';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { rowsSides } from '../../../formats/format.ts';
import { formatById, formats } from '../../../formats/index.ts';
import type { Mapping } from '../../../formats/mapping/mapping.ts';
import { readMapping } from '../../../formats/mapping/mapping-json.ts';
import type { ReadingOptions } from '../../../formats/opening.ts';
import { oneOf, type QueryOf } from '../../../http/schemas.ts';
import { requireTimeZone } from '../../people/auth/profile.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { type Elections, type StoredSettings, toElections } from '../transactions/elections.ts';
import { dateOrder, mappingExample, timeZoneMeaning } from './imports.schemas.ts';

const text = (description: string) => t.Optional(t.String({ minLength: 1, maxLength: 200, description }));
const mappingLengthMax = 20_000;
/** The names of a file in a ZIP and of a sheet in it. */
const partLengthMax = 600;

export const importQuery = {
  format: text('One of GET /formats. If omitted, the format is detected from the header.'),
  account: text(
    'The account for rows that name none. Defaults to the account named in a title or the file name, or else the name of the source.',
  ),
  timeZone: text(`${timeZoneMeaning} It also determines the taxable date of each row.`),
  mapping: t.Optional(
    t.String({
      minLength: 2,
      maxLength: mappingLengthMax,
      description:
        'A Mapping as JSON, for a file in an unknown format. It is saved for the header, so the next file with the same header needs none. The problem `unknown_format` proposes one.',
      examples: [JSON.stringify(mappingExample)],
    }),
  ),
  dateOrder,
  side: t.Optional(
    oneOf(
      rowsSides,
      'Whether the rows are purchases or sales, if the file does not indicate it. Resolves the problem `ambiguous_file`.',
    ),
  ),
  part: t.Optional(
    t.String({
      minLength: 1,
      maxLength: partLengthMax,
      description: 'The table to read from a ZIP or workbook. The problem `ambiguous_file` lists them.',
    }),
  ),
  correction: t.Optional(
    t.Boolean({
      description:
        'Whether the file corrects an earlier one with the same columns. `true`: rows that differ from a row of that file only in numbers are held for review (`row_differs`). `false`: they are new. If omitted, they are held if their IDs or half of the rows of both files are equal. Otherwise they are stored, with one possible duplicate for each earlier file.',
    }),
  ),
  dryRun: t.Optional(
    t.Boolean({
      description:
        'Set to true to preview the import without saving it. The response has a `preview` with the first rows, the issues and the years.',
    }),
  ),
};

export type ImportQuery = QueryOf<typeof importQuery>;

/** Validates the query before the file is read. */
export function toImportOptions(parameters: ImportQuery, async: boolean): ImportOptions {
  const { format, timeZone, dateOrder, side, part, correction, dryRun = false } = parameters;
  if (format !== undefined && formatById(format) === undefined) {
    const known = formats.map(({ id }) => id).join(', ');
    throw new Refusal('unknown_format', `Unknown format. Use one of: ${known}.`);
  }
  requireTimeZone(timeZone);
  if (format !== undefined && parameters.mapping !== undefined) {
    throw invalidMember('/mapping', 'Send either `format` or `mapping`, not both.');
  }
  return {
    ...(format === undefined ? {} : { format }),
    ...(parameters.account === undefined ? {} : { account: parameters.account.trim() }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(parameters.mapping === undefined ? {} : { mapping: parseMapping(parameters.mapping) }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(side === undefined ? {} : { side }),
    ...(part === undefined ? {} : { part }),
    ...(correction === undefined ? {} : { correction }),
    dryRun,
    async: async && !dryRun,
  };
}

/**
 * Returns the options to store with an import, so that its file can be reread. A mapping is not included, because it is
 * saved for its header.
 */
export function toReadingRequest({ format, account, timeZone, dateOrder, side }: ImportOptions): ReadingRequest {
  return {
    ...(format === undefined ? {} : { format }),
    ...(account === undefined ? {} : { account }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(side === undefined ? {} : { side }),
  };
}

export type ReadingRequest = Omit<ImportQuery, 'mapping' | 'part' | 'correction' | 'dryRun'>;

function parseMapping(text: string): Mapping {
  const read = readMapping(parseMappingJson(text));
  if ('mapping' in read) return read.mapping;
  const errors = read.faults.map(({ pointer, detail }) => ({ pointer: `/mapping${pointer}`, code: 'invalid', detail }));
  const sentences = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(' ');
  throw new Refusal('invalid', `The mapping is not valid. ${sentences}`, { errors });
}

function parseMappingJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidMember('/mapping', 'The mapping is not valid JSON.');
  }
}

export interface ImportOptions
  extends Pick<ReadingOptions, 'format' | 'account' | 'mapping' | 'dateOrder' | 'side' | 'part'> {
  readonly timeZone?: string;
  /** Whether the file corrects an earlier file. Omitted if the request does not specify it. */
  readonly correction?: boolean;
  readonly dryRun: boolean;
  /** Whether to respond as soon as the whole file has arrived. */
  readonly async: boolean;
}

export async function readSettings(sql: Sql, taxpayerId: string): Promise<Settings> {
  const row = await selectTaxpayer(sql, taxpayerId);
  return { elections: toElections(row.settings, row.time_zone), timeZone: row.time_zone, stored: row.settings };
}

/** The taxpayer's settings when the rows were staged. */
export interface Settings {
  readonly elections: Elections;
  readonly timeZone: string;
  readonly stored: StoredSettings;
}
