import { t } from 'elysia';
import type { Sql } from '../db/connection.ts';
import { closed, money, nullable, whole, year } from './schemas.ts';

export const totals = { proceeds: money, basis: money, adjustment: money, gain: money, count: whole() };
export const Totals = closed(totals, { title: 'Totals' });

const YearFigures = closed(
  {
    shortTerm: Totals,
    longTerm: Totals,
    total: Totals,
    washSaleDisallowed: money,
    income: money,
    deductible: t.String({ description: 'The losses deducted this year, as a positive amount.' }),
    issues: whole(),
  },
  { title: 'YearFigures' },
);

/** A tax year before and after a change. */
const YearChange = closed(
  { year, before: nullable(YearFigures), after: nullable(YearFigures) },
  { title: 'YearChange', description: '`before` and `after` are null if there is no activity.' },
);

/** The query parameter for a dry run. */
export const dryRun = t.Optional(
  t.Boolean({ description: 'Set to true to save nothing. `preview` then shows the tax years that would change.' }),
);

/** The tax years that differ before and after a change. */
export const changedYears = t.Array(YearChange, { description: 'The tax years that change.' });

/** The effect of a change on the tax years. */
export const YearsPreview = closed(
  { years: changedYears },
  { title: 'YearsPreview', description: 'Present only for a dry run.' },
);

/**
 * Runs a change, rolls it back, and returns its result with the tax years that it would change. `app.ts` provides it to
 * features that come before the books.
 */
export type TryChange = <Result extends object>(
  taxpayerId: string,
  work: (sql: Sql) => Promise<Result>,
) => Promise<Result & { readonly preview: typeof YearsPreview.static }>;
