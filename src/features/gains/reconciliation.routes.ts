import { Elysia, t } from 'elysia';
import { formatDay } from '../../base/day.ts';
import type { DeskEntry } from '../../forms/reconciliation/desk.ts';
import { buildFormDesk } from '../../forms/reconciliation/desk.ts';
import { limitDefault, page, readCursor } from '../../http/list.ts';
import { group, read } from '../../http/operations/operations.ts';
import { listQuery, oneOf, yearParameter } from '../../http/schemas.ts';
import { readLines, readReported, readRules } from '../ledger/books/books.ts';
import type { Access } from '../people/auth/access.ts';
import { entryView, FormComparison, formView } from './reconciliation.view.ts';

const { onBooks } = group('Tax');

/** Compares the Forms 1099-B and 1099-DA for a year with our lines. */
export const reconciliationRoutes = (access: Access) =>
  new Elysia().use(access).get(
    '/forms',
    async ({ books, taxpayer, query: parameters }) => {
      const { year } = parameters;
      const limit = parameters.limit ?? limitDefault;
      const after = readCursor(parameters.cursor, ['string', 'string', 'day', 'string']);
      const compared = await books.snapshot(async (sql) => {
        const rules = await readRules(sql, taxpayer.id);
        const reported = await readReported(sql, taxpayer.id, year, rules);
        return { year, rules, reported, lines: await readLines(sql, taxpayer.id, year) };
      });
      const { forms, entries } = buildFormDesk(compared);
      const shown = entries.filter(
        (entry) => isShown(entry, parameters.show) && (after === undefined || isAfter(toDeskCursor(entry), after)),
      );
      return { year, forms: forms.map(formView), ...page(shown.slice(0, limit + 1), limit, toDeskCursor, entryView) };
    },
    onBooks('getFormComparison', read, {
      summary: 'Compare Forms 1099 with our lines',
      description:
        'Lists each Form 1099-B and 1099-DA with its totals, our totals and the difference. Each row of a form is matched to lots, with the code and the reason for a difference, or to nothing. Our sales that are missing from the form of their account are also listed. The reports `reconciliation` and `reconciliation-csv` contain the same data as files.',
      query: {
        ...listQuery,
        year: yearParameter,
        show: t.Optional(oneOf(['all', 'differences', 'questions'], 'The entries to list. Default: all.')),
      },
      response: { 200: FormComparison },
    }),
  );

type DeskCursor = [account: string, form: string, day: string, id: string];

function toDeskCursor({ account, form, on, id }: DeskEntry): DeskCursor {
  return [account, form, formatDay(on), id];
}

function isAfter(entryCursor: DeskCursor, after: readonly string[]): boolean {
  const at = entryCursor.findIndex((part, index) => part !== after[index]);
  return at !== -1 && (entryCursor[at] ?? '') > (after[at] ?? '');
}

function isShown({ kind, asks }: DeskEntry, show: 'all' | 'differences' | 'questions' = 'all'): boolean {
  if (show === 'questions') return asks;
  return show === 'all' || kind !== 'matched';
}
