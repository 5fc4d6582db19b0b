import { getSchemaValidator, type TSchema, t } from 'elysia';
import { isTimeZone, parseDay, parseWrittenDay } from '../../../base/day.ts';
import { parseMoney, parseQuantity } from '../../../base/decimal.ts';
import { isObject } from '../../../base/json.ts';
import { Refusal } from '../../../base/refusal.ts';
import { assetMembers } from '../../../engine/events/same-assets.ts';
import { assetClasses, boxes, transactionTypes } from '../../../engine/model.ts';
import { readMapping } from '../../../formats/mapping/mapping-json.ts';
import { closed, oneOf } from '../../../http/schemas.ts';
import { toRefusalErrors } from '../../../http/validation.ts';
import { booksChange } from '../../people/auth/auth.schemas.ts';
import { Import } from '../imports/imports.schemas.ts';
import { checkSettings } from '../settings/patch.ts';
import { type ResolutionValues, restatedFigures } from '../transactions/row-issues.queries.ts';
import type { TableShape } from './archives.queries.ts';
import { fileOfTable } from './contents.ts';

/** Explains to the user why an archive cannot be imported. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export function invalidArchive(fault: string): ArchiveError {
  return new ArchiveError(`The archive is not valid: ${fault}.`);
}

/**
 * Checks archive rows as the API checks its input. The database checks only types and keys, not which codes, names and
 * settings are valid. Fields without an entry in this file are checked only by type.
 */
export function checkRows(
  { name: table, types }: Pick<TableShape, 'name' | 'types'>,
  rows: readonly string[],
  columns: readonly string[],
  before: number,
): void {
  const typed = columns.flatMap((column) => {
    const check = ofType[types[column] ?? ''];
    return check === undefined ? [] : [[column, check] as const];
  });
  const checks = [...typed, ...Object.entries({ ...ofEveryTable, ...ofTable[table] })];
  for (const [index, text] of rows.entries()) {
    const refuse = (member: string, detail: string) => rowError(table, before + index + 1, member, detail);
    const row = parseJson(text);
    if (!isObject(row)) throw refuse('', 'This is not a JSON object');
    const unknown = Object.keys(row).find((member) => !columns.includes(member));
    if (unknown !== undefined) throw refuse(unknown, 'The manifest does not list it');
    for (const [member, check] of checks) {
      const value = row[member];
      const fault = value === undefined || value === null ? undefined : check(value);
      if (fault !== undefined) throw refuse(`${member}${fault.pointer}`, fault.detail);
    }
  }
}

/** Creates an error with the file, the row and the field. */
export function rowError(table: string, row: number, member: string, detail: string): ArchiveError {
  const location = member === '' ? `row ${row}` : `row ${row}, ${member.slice(0, 300)}`;
  return invalidArchive(`${fileOfTable(table)}, ${location}: ${detail}`);
}

interface ArchiveFault {
  readonly pointer: string;
  readonly detail: string;
}

type Check = (value: unknown) => ArchiveFault | undefined;

const name = fits(t.String({ maxLength: 200 }));
const assetClass = fits(oneOf(assetClasses));
const day: Check = (value) => (parseDay(String(value)) === undefined ? fault('Not a valid date') : undefined);
const money: Check = (value) => (parseMoney(String(value)) === undefined ? fault('Not a valid amount') : undefined);
const quantity: Check = (value) =>
  parseQuantity(String(value)) === undefined ? fault('Not a valid quantity') : undefined;
const zone: Check = (value) => (isTimeZone(String(value)) ? undefined : fault('Not a valid time zone'));

/** PostgreSQL also accepts `infinity`, `NaN`, and years before 1 or after 9999, but an export never contains them. */
const ofType: Readonly<Record<string, Check>> = {
  date: (value) => (parseWrittenDay(String(value)) === undefined ? fault('Not a valid date') : undefined),
  'timestamp with time zone': (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(String(value))
      ? undefined
      : fault('Not a valid time'),
  numeric: (value) => (Number.isFinite(value) ? undefined : fault('Not a valid number')),
};

/** Rejects work in progress. An export never contains it, and the server would resume it. */
const settled = fits(oneOf(['completed', 'failed']));

const ofEveryTable: Readonly<Record<string, Check>> = {
  account: name,
  asset: name,
  to_account: name,
  other_account: name,
  earlier_account: name,
  asset_class: assetClass,
  stated_class: assetClass,
  source_class: assetClass,
  time_zone: zone,
};

const ofTable: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  taxpayers: {
    taxpayer_name: fits(booksChange.taxpayerName),
    tin: (value) => (value === '' ? undefined : fits(booksChange.tin)(value)),
    settings: (value) => {
      try {
        checkSettings(value);
        return undefined;
      } catch (error) {
        const [first] = error instanceof Refusal ? (error.more.errors ?? []) : [];
        if (first === undefined) throw error;
        return { pointer: first.pointer ?? '', detail: first.detail };
      }
    },
  },
  imports: {
    status: settled,
    store_order: () => fault("An archive can't contain a file that is still being imported"),
    skips: fits(Import.properties.skips),
    warnings: (value) => fits(Import.properties.warnings)(isObject(value) ? { results: [], ...value } : value),
    accounts: fits(Import.properties.accounts),
    problem: fits(Import.properties.problem),
    security_numbers: fits(
      t.Array(t.Object({ asset: t.String({ maxLength: 200 }), number: t.String({ maxLength: 12 }) })),
    ),
  },
  asset_names: { name },
  calculations: { status: settled },
  messages: { citations: fits(t.Array(closed({ title: t.String(), href: t.String() }))) },
  transactions: {
    type: fits(oneOf(transactionTypes)),
    currency: name,
    received_asset: name,
    fee_asset: name,
    option_right: fits(oneOf(['call', 'put'])),
    box: fits(oneOf(boxes)),
    term: fits(oneOf(['short', 'long'])),
    on_day: day,
    stated_names: (value) => {
      const check = createMembersCheck(Object.fromEntries(assetMembers.map((member) => [member, name])));
      return check(typeof value === 'string' ? parseJson(value) : value);
    },
  },
  proposed_rows: { content: (value) => (isObject(value) ? undefined : fault('This is not a row')) },
  prices: { usd: (value) => (Number(value) >= 0 ? undefined : fault("A price can't be negative")) },
  import_mappings: {
    mapping: (value) => {
      const read = readMapping(value);
      const [first] = 'mapping' in read ? [] : read.faults;
      return first === undefined ? undefined : { pointer: first.pointer, detail: first.detail };
    },
  },
  resolutions: {
    given: createMembersCheck({
      basis: money,
      amount: money,
      fee: money,
      quantity,
      acquired: day,
      figure: fits(oneOf(restatedFigures)),
      assetClass,
      collectible: fits(t.Boolean()),
      accounts: fits(t.Array(t.String({ maxLength: 200 }))),
    } satisfies Record<keyof ResolutionValues, Check>),
  },
};

function fault(detail: string): ArchiveFault {
  return { pointer: '', detail };
}

function fits(schema: TSchema): Check {
  const validator = getSchemaValidator(schema, { normalize: false, dynamic: true });
  return (value) => {
    const [first] = validator.Check(value) ? [] : toRefusalErrors(validator.Errors(value));
    return first === undefined ? undefined : { pointer: first.pointer ?? '', detail: first.detail };
  };
}

function createMembersCheck(checks: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isObject(value)) return fault('This is not an object');
    for (const [member, cell] of Object.entries(value)) {
      const check = checks[member];
      const archiveFault = check === undefined ? fault('Unknown') : check(cell);
      if (archiveFault !== undefined)
        return { pointer: `/${member}${archiveFault.pointer}`, detail: archiveFault.detail };
    }
    return undefined;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const text = t.String();

/** Checks a manifest and returns its first invalid field. */
export const checkManifest: Check = fits(
  t.Object(
    {
      format: t.Number(),
      lotbook: text,
      engine: text,
      takenAt: text,
      userId: t.Union([t.String({ pattern: '^[0-9a-f-]{36}$' }), t.Null()]),
      tables: t.Array(t.Object({ name: text, columns: t.Array(text) }, { additionalProperties: true })),
      files: t.Array(t.Object({ name: text, sha256: text }, { additionalProperties: true })),
    },
    { additionalProperties: true },
  ),
);
