import { Elysia, t } from 'elysia';
import { formatDay } from '../../base/day.ts';
import type { Deps } from '../../deps.ts';
import type { DeskEntry } from '../../forms/reconciliation/desk.ts';
import { formDeskOf } from '../../forms/reconciliation/desk.ts';
import { limitDefault, mapPage, page, readCursor } from '../../http/list.ts';
import { booksQuery, listQuery, oneOf, problems, yearParameter } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { readLines, readReported, readRules } from '../books/books.ts';
import { Desk } from './schemas.ts';
import { entryView, formView } from './view.ts';

/** The reconciliation desk: the Forms 1099-B and 1099-DA of a year beside our lines. */
export const reconciliationRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/forms',
    async ({ taxpayer, query: asked }) => {
      const { year } = asked;
      const limit = asked.limit ?? limitDefault;
      const after = readCursor(asked.cursor, ['string', 'string', 'day', 'string']);
      const books = await deps.database.asTaxpayer(
        taxpayer.id,
        async (sql) => {
          const rules = await readRules(sql, taxpayer.id);
          const reported = await readReported(sql, taxpayer.id, year, rules);
          return { year, rules, reported, lines: await readLines(sql, taxpayer.id, year) };
        },
        { snapshot: true, readOnly: true },
      );
      const { forms, entries } = formDeskOf(books);
      const shown = entries.filter(
        (entry) => isAsked(entry, asked.show) && (after === undefined || isAfter(placeOf(entry), after)),
      );
      return {
        year,
        forms: forms.map(formView),
        ...mapPage(page(shown.slice(0, limit + 1), limit, placeOf), entryView),
      };
    },
    {
      books: true,
      query: booksQuery({
        ...listQuery,
        year: yearParameter,
        show: t.Optional(oneOf(['all', 'differences', 'questions'], 'Which entries are listed. Default: all.')),
      }),
      response: { 200: Desk, ...problems('not_found', 'invalid') },
      detail: {
        summary: 'Forms 1099 beside our lines',
        description:
          'Each Form 1099-B and 1099-DA as one thing: its total, ours and the difference. Each of its rows is matched to lots, with the code and the reason where they differ, or to nothing. Our sales that the form of their account does not show are listed too. The reports `reconciliation` and `reconciliation-csv` have the same as files.',
        operationId: 'readForms',
        tags: ['Tax'],
      },
    },
  );

type DeskPlace = [account: string, form: string, day: string, id: string];

function placeOf({ account, form, on, id }: DeskEntry): DeskPlace {
  return [account, form, formatDay(on), id];
}

function isAfter(place: DeskPlace, after: readonly string[]): boolean {
  const at = place.findIndex((part, index) => part !== after[index]);
  return at !== -1 && (place[at] ?? '') > (after[at] ?? '');
}

function isAsked({ kind, asks }: DeskEntry, show: 'all' | 'differences' | 'questions' = 'all'): boolean {
  if (show === 'questions') return asks;
  return show === 'all' || kind !== 'matched';
}
