import { Refusal } from '../base/refusal.ts';
import { type Detected, type Detection, headerRowsMax } from './detect.ts';
import type { Row, RowIssue, RowsSide } from './format.ts';
import { escaped, type Mapping } from './mapping/mapping.ts';
import { proposeMapping } from './mapping/mapping-proposal.ts';
import { unreadLayoutIn } from './unread-layouts.ts';

/** Why a file is not opened, and what the sender can say about it. */

/** A column that has two readings is asked about, since they give different money. */
export function refuseUndecided({ undecided = {} }: Mapping): void {
  const open = Object.entries(undecided);
  if (open.length === 0) return;
  const errors = open.map(([column, detail]) => ({
    pointer: `/mapping/undecided/${escaped(column)}`,
    code: 'undecided',
    detail,
  }));
  const questions = open.map(([column, question]) => `"${column}": ${question}`).join(' ');
  throw new Refusal(
    'ambiguous_file',
    `The mapping leaves open what columns hold. ${questions} Say it in "columns" and leave the column out of "undecided".`,
    {
      errors,
      members: { parameter: 'mapping', readings: [] },
    },
  );
}

const meaning: Readonly<Record<RowsSide, string>> = {
  buy: 'its units were bought for its amount',
  sell: 'its units were sold for its amount',
  deposit: 'its units came in from elsewhere',
  withdrawal: 'its units went elsewhere',
};

export function askSide(line: number, sides: readonly RowsSide[]): Refusal {
  const detail = `Nothing in this file says which way its rows go: of line ${line}, ${sides.map((side) => meaning[side]).join(', or ')}. Say which with ${sides.map((side) => `side=${side}`).join(', ')}.`;
  return new Refusal('ambiguous_file', detail, {
    errors: [{ code: 'ambiguous_side', detail: 'No column and no sign says which way this row goes', line }],
    members: { parameter: 'side', readings: sides.map((side) => ({ value: side, reads: meaning[side] })) },
  });
}

export function needless(): Refusal {
  const detail = 'The rows of this file say themselves which way they go.';
  return new Refusal('invalid', `${detail} Leave "side" out.`, {
    errors: [{ pointer: '/side', code: 'invalid', detail }],
  });
}

/** The header is one that we know, and nothing under it is. */
export function notOfHeader(
  { format }: Detected,
  rejects: readonly RowIssue[],
  proposal: ReturnType<typeof proposeMapping>,
): Refusal {
  const detail = `The header of this file is that of ${format.name}, but every one of the first rows would be rejected. Say with "mapping" which column holds what: one is proposed. Or say with "format" that it is ${format.id}.`;
  const errors = rejects.slice(0, rejectsShownMax).map(({ line, column, code, reason }) => ({
    code,
    detail: reason,
    line,
    ...(column === null ? {} : { column }),
  }));
  return new Refusal('unknown_format', detail, { errors, members: { proposal } });
}

const rejectsShownMax = 5;

export function refusalOf(
  found: Exclude<Detection, Detected>,
  rows: readonly Row[],
  wanted: string | undefined,
): Refusal {
  if (found.rivals.length > 0) {
    const names = found.rivals.map(({ format }) => format.id).join(', ');
    const errors = found.rivals.map(({ format, layout }) => ({
      code: 'fits',
      detail: `${format.name} (${layout.id})`,
    }));
    const readings = [...new Set(found.rivals.map(({ format }) => format))].map(({ id, name }) => ({
      value: id,
      reads: name,
    }));
    return new Refusal('ambiguous_format', `The header fits several formats: ${names}. Say which with "format".`, {
      errors,
      members: { parameter: 'format', readings },
    });
  }
  const errors = found.misses.map(({ why, line }) => ({ code: 'near_miss', detail: why, line }));
  const which = wanted === undefined ? 'none of the formats we know' : 'not that of the format asked for';
  const nearest = errors.length === 0 ? '' : ' The nearest, and what they miss, are listed.';
  const proposal = wanted === undefined ? proposeMapping(rows) : undefined;
  const mapped = proposal === undefined ? '' : ' Say with "mapping" which column holds what: one is proposed.';
  const unread = wanted === undefined ? unreadLayoutIn(rows.slice(0, headerRowsMax)) : undefined;
  const why = unread === undefined ? '' : ` It may be ${unread.name}, which has no format of its own: ${unread.why}.`;
  return new Refusal('unknown_format', `The header of this file is ${which}.${why}${nearest}${mapped}`, {
    errors,
    ...(proposal === undefined ? {} : { members: { proposal } }),
  });
}
