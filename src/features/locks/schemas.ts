import { t } from 'elysia';
import { yearMax, yearMin } from '../../base/day.ts';
import { closed, id, instant, money, nullable, oneOf, whole, wholeParameter, year } from '../../http/schemas.ts';
import { lockedColumns } from './lines.ts';

export const yearParams = closed({ year: wholeParameter('year', { minimum: yearMin, maximum: yearMax }) });
const hash = t.String({ description: 'SHA-256 of the lines’ content when they were locked.' });

export const YearState = closed(
  {
    year,
    locked: t.Boolean(),
    lockedAt: nullable(instant),
    lines: whole({ description: 'Lines of Form 8949 when the year was locked last; 0 where it never was.' }),
    hash: nullable(hash),
  },
  { title: 'YearState' },
);

export const YearEntry = closed(
  {
    id,
    action: oneOf(['lock', 'unlock']),
    at: instant,
    by: t.String({ description: 'The e-mail address of whoever did it.' }),
    lines: whole(),
    hash,
    revision: t.String({ description: 'The state of the books then, as in the summary.' }),
  },
  { title: 'YearEntry' },
);

const LockedLine = closed(
  { id, ...Object.fromEntries(lockedColumns.map((column) => [column, t.String()])) },
  { title: 'LockedLine', description: 'What Form 8949 says of a line, as `GET /tax/disposals` tells it.' },
);
const totals = closed({ proceeds: money, basis: money, adjustment: money, gain: money, count: whole() });
const TotalsChange = closed({ before: totals, after: totals });

export const YearAmendment = closed(
  {
    year,
    locked: t.Boolean({ description: 'Locked now: then nothing differs from the last lock.' }),
    lock: YearEntry,
    totals: closed({ shortTerm: TotalsChange, longTerm: TotalsChange, total: TotalsChange }),
    counts: closed({ added: whole(), gone: whole(), changed: whole() }),
    data: t.Array(
      closed({
        change: oneOf(['added', 'gone', 'changed']),
        columns: t.Array(oneOf(lockedColumns), { description: 'Those that differ.' }),
        before: nullable(LockedLine),
        after: nullable(LockedLine),
      }),
      { description: 'By day of sale, asset and id.' },
    ),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String()),
  },
  { title: 'Amendment' },
);
