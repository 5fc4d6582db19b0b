import { invalidMember, Refusal } from '../base/refusal.ts';
import { type DetectedFormat, type Detection, headerRowsMax } from './detect.ts';
import type { Row, RowIssue, RowsSide } from './format.ts';
import { escapePointer, type Mapping } from './mapping/mapping.ts';
import { proposeMapping } from './mapping/mapping-proposal.ts';
import { findUnreadLayout } from './unread-layouts.ts';

/** If any columns can be read in two ways that give different amounts, throws an error that asks which is meant. */
export function refuseUndecided({ undecided = {} }: Mapping): void {
  const open = Object.entries(undecided);
  if (open.length === 0) return;
  const errors = open.map(([column, detail]) => ({
    pointer: `/mapping/undecided/${escapePointer(column)}`,
    code: 'undecided',
    detail,
  }));
  const questions = open.map(([column, question]) => `"${column}": ${question}`).join(' ');
  throw new Refusal(
    'ambiguous_file',
    `The mapping has undecided columns. ${questions} Map each one in "columns" and remove it from "undecided".`,
    {
      errors,
      members: { parameter: 'mapping', readings: [] },
    },
  );
}

const meaning: Readonly<Record<RowsSide, string>> = {
  buy: 'the units were bought for the amount shown',
  sell: 'the units were sold for the amount shown',
  deposit: 'the units came from another account',
  withdrawal: 'the units went to another account',
};

export function askSide(line: number, sides: readonly RowsSide[]): Refusal {
  const detail = `This file does not show the direction of its rows. For line ${line}, either ${sides.map((side) => meaning[side]).join(', or ')}. Choose with ${sides.map((side) => `side=${side}`).join(' or ')}.`;
  return new Refusal('ambiguous_file', detail, {
    errors: [{ code: 'ambiguous_side', detail: 'No column or sign shows the direction of this row', line }],
    members: { parameter: 'side', readings: sides.map((side) => ({ value: side, reads: meaning[side] })) },
  });
}

export function needless(): Refusal {
  return invalidMember('/side', 'The rows of this file already show their direction. Remove "side".');
}

/** Returns the error for a file whose header is known but whose rows are unreadable. */
export function notOfHeader(
  { format }: DetectedFormat,
  rejects: readonly RowIssue[],
  proposal: ReturnType<typeof proposeMapping>,
): Refusal {
  const detail = `The header of this file matches ${format.name}, but all of the first rows would be rejected. Match the columns with "mapping" (we propose one), or confirm the format with "format": ${format.id}.`;
  const errors = rejects.slice(0, rejectsShownMax).map(({ line, column, code, reason }) => ({
    code,
    detail: reason,
    line,
    ...(column === null ? {} : { column }),
  }));
  return new Refusal('unknown_format', detail, { errors, members: { proposal } });
}

const rejectsShownMax = 5;

/** Adds the first rows to a refusal that proposes a mapping. */
export function withFirstRows(error: unknown, rows: readonly Row[]): unknown {
  if (!(error instanceof Refusal) || error.more.members?.proposal === undefined) return error;
  const firstRows = rows.slice(0, firstRowsMax).map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.slice(0, cellShownMax)),
  }));
  return new Refusal(error.code, error.detail, { ...error.more, members: { ...error.more.members, firstRows } });
}

const [firstRowsMax, cellShownMax] = [100, 200];

export function buildRefusal(
  detection: Exclude<Detection, DetectedFormat>,
  rows: readonly Row[],
  formatId: string | undefined,
): Refusal {
  if (detection.rivals.length > 0) {
    const names = detection.rivals.map(({ format }) => format.id).join(', ');
    const errors = detection.rivals.map(({ format, layout }) => ({
      code: 'fits',
      detail: `${format.name} (${layout.id})`,
    }));
    const readings = [...new Set(detection.rivals.map(({ format }) => format))].map(({ id, name }) => ({
      value: id,
      reads: name,
    }));
    return new Refusal('ambiguous_format', `The header fits several formats: ${names}. Choose one with "format".`, {
      errors,
      members: { parameter: 'format', readings },
    });
  }
  const errors = detection.misses.map(({ why, line }) => ({ code: 'near_miss', detail: why, line }));
  const which = formatId === undefined ? 'does not match any format we know' : 'does not match the requested format';
  const nearest = errors.length === 0 ? '' : ' The closest matches are listed with their missing headers.';
  const proposal = formatId === undefined ? proposeMapping(rows) : undefined;
  const mapped =
    proposal === undefined ? '' : ' Match the file’s columns with "mapping". A proposed mapping is included.';
  const unread = formatId === undefined ? findUnreadLayout(rows.slice(0, headerRowsMax)) : undefined;
  const why =
    unread === undefined
      ? ''
      : ` This may be ${unread.name}, which is not supported as a format because ${unread.why}.`;
  return new Refusal('unknown_format', `The header of this file ${which}.${why}${nearest}${mapped}`, {
    errors,
    ...(proposal === undefined ? {} : { members: { proposal } }),
  });
}
