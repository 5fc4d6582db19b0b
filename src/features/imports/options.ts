import { t } from 'elysia';
import { isTimeZone } from '../../base/day.ts';
import { Refusal } from '../../base/refusal.ts';
import { type DateOrderCode, dateOrderCodes } from '../../formats/cells/times.ts';
import { rowsSides } from '../../formats/format.ts';
import { formatById, formats } from '../../formats/index.ts';
import type { Mapping } from '../../formats/mapping/mapping.ts';
import { readMapping } from '../../formats/mapping/mapping-json.ts';
import type { ReadingOptions } from '../../formats/opening.ts';
import { oneOf } from '../../http/schemas.ts';
import { mappingExample } from './mappings/schemas.ts';

/** What a request may say of its file. */

const text = (description: string) => t.Optional(t.String({ minLength: 1, maxLength: 200, description }));
const mappingLengthMax = 20_000;

export const importQuery = {
  format: text('One of GET /formats; without it the header decides.'),
  account: text(
    'The account of rows that name none. Default: the account that a title or the name of the file names, or else the name of its source.',
  ),
  timeZone: text('IANA zone of times without offset, and of the days on which rows are taxed.'),
  mapping: t.Optional(
    t.String({
      minLength: 2,
      maxLength: mappingLengthMax,
      description:
        'For a file that no format knows, a Mapping as JSON. It is remembered by the header, so that the next file of that shape needs none. The problem `unknown_format` proposes one.',
      examples: [JSON.stringify(mappingExample)],
    }),
  ),
  dateOrder: t.Optional(
    oneOf(
      dateOrderCodes,
      'Which part comes first in `3/4/2025` or `25-03-04`: the answer to a problem `ambiguous_file`.',
    ),
  ),
  side: t.Optional(
    oneOf(rowsSides, 'Which way the rows go of a file that does not say: the answer to a problem `ambiguous_file`.'),
  ),
  correction: t.Optional(
    t.Boolean({
      description:
        'Whether the file corrects an earlier one of the same columns. `true`: rows with the day, account, type and asset of a row of that file, and other numbers, are held as questions (`row_differs`). `false`: they are new transactions. Without it they are held if their ids are the same or at least as many rows of the two files are the same as differ. Otherwise they are stored, with one possible duplicate for each earlier file.',
    }),
  ),
  dryRun: t.Optional(
    t.Boolean({
      description:
        'Say what would happen and store nothing: the answer has a `preview` of the first rows, the issues and the years.',
    }),
  ),
};

export interface ImportQuery {
  readonly format?: string;
  readonly account?: string;
  readonly timeZone?: string;
  readonly mapping?: string;
  readonly dateOrder?: DateOrderCode;
  readonly side?: ImportOptions['side'];
  readonly correction?: boolean;
  readonly dryRun?: boolean;
}

/** A mistake in the query is refused before the file is read. */
export function optionsOf(asked: ImportQuery, async: boolean): ImportOptions {
  const { format, timeZone, dateOrder, side, correction, dryRun = false } = asked;
  if (format !== undefined && formatById(format) === undefined) {
    const known = formats.map(({ id }) => id).join(', ');
    throw new Refusal('unknown_format', `There is no format of that name. The formats are: ${known}.`);
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new Refusal('invalid', 'The time zone is not a name of the IANA database, as America/New_York.', {
      errors: [{ pointer: '/timeZone', code: 'invalid', detail: 'Not a time zone' }],
    });
  }
  if (format !== undefined && asked.mapping !== undefined) {
    const detail = 'A file is read by a format or by a mapping: say one of them.';
    throw new Refusal('invalid', detail, { errors: [{ pointer: '/mapping', code: 'invalid', detail }] });
  }
  return {
    ...(format === undefined ? {} : { format }),
    ...(asked.account === undefined ? {} : { account: asked.account.trim() }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(asked.mapping === undefined ? {} : { mapping: mappingOf(asked.mapping) }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(side === undefined ? {} : { side }),
    ...(correction === undefined ? {} : { correction }),
    dryRun,
    async: async && !dryRun,
  };
}

/** What an import keeps of its options, so that its file can be read again. A mapping is remembered by its header. */
export function askedOf({ format, account, timeZone, dateOrder, side }: ImportOptions): ReadingAsked {
  return {
    ...(format === undefined ? {} : { format }),
    ...(account === undefined ? {} : { account }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(side === undefined ? {} : { side }),
  };
}

export type ReadingAsked = Omit<ImportQuery, 'mapping' | 'correction' | 'dryRun'>;

function mappingOf(text: string): Mapping {
  const read = readMapping(parsed(text));
  if ('mapping' in read) return read.mapping;
  const errors = read.faults.map(({ pointer, detail }) => ({ pointer: `/mapping${pointer}`, code: 'invalid', detail }));
  const sentences = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(' ');
  throw new Refusal('invalid', `The mapping is not valid. ${sentences}`, { errors });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const detail = 'The mapping is not readable as JSON.';
    throw new Refusal('invalid', detail, { errors: [{ pointer: '/mapping', code: 'invalid', detail }] });
  }
}

export interface ImportOptions extends Pick<ReadingOptions, 'format' | 'account' | 'mapping' | 'dateOrder' | 'side'> {
  readonly timeZone?: string;
  /** Whether the file corrects an earlier one; left out where nobody says. */
  readonly correction?: boolean;
  readonly dryRun: boolean;
  /** Answer as soon as the file has arrived whole. */
  readonly async: boolean;
}
