import { t } from 'elysia';
import { closed, id, instant, money, nullable, oneOf, whole, year, yearParameter } from '../../../http/schemas.ts';
import { lockedColumns } from './locked-lines.ts';

export const yearParams = closed({ year: yearParameter });
const hash = t.String({ description: 'SHA-256 of the content of the lines at the lock.' });

export const YearState = closed(
  {
    year,
    locked: t.Boolean(),
    lockedAt: nullable(instant),
    lines: whole({ description: 'The number of lines of Form 8949 at the last lock; 0 if the year was never locked.' }),
    hash: nullable(hash),
  },
  { title: 'YearState' },
);

export const YearEntry = closed(
  {
    id,
    action: oneOf(['lock', 'unlock']),
    at: instant,
    by: t.String({ description: 'The user’s email address.' }),
    lines: whole(),
    hash,
    revision: t.String({ description: 'The revision of the books at that time, as in the summary.' }),
  },
  { title: 'YearEntry' },
);

const columns = Object.fromEntries(lockedColumns.map((column) => [column, t.String()])) as Record<
  (typeof lockedColumns)[number],
  ReturnType<typeof t.String>
>;
const LockedLine = closed(
  { id, ...columns },
  { title: 'LockedLine', description: 'A line of Form 8949, as in `GET /tax/disposals`.' },
);
const totals = closed({ proceeds: money, basis: money, adjustment: money, gain: money, count: whole() });
const TotalsChange = closed({ before: totals, after: totals });

export const YearAmendment = closed(
  {
    year,
    locked: t.Boolean({ description: 'Whether the year is locked now. If it is, nothing differs from the last lock.' }),
    lock: YearEntry,
    totals: closed({ shortTerm: TotalsChange, longTerm: TotalsChange, total: TotalsChange }),
    counts: closed({ added: whole(), gone: whole(), changed: whole() }),
    data: t.Array(
      closed({
        change: oneOf(['added', 'gone', 'changed']),
        columns: t.Array(oneOf(lockedColumns), { description: 'The columns that differ.' }),
        before: nullable(LockedLine),
        after: nullable(LockedLine),
      }),
      { description: 'Sorted by day of sale, asset and id.' },
    ),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String()),
  },
  { title: 'Amendment' },
);
