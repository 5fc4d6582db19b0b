import { Elysia, t } from 'elysia';
import { formatDay } from '../../base/day.ts';
import { type Cents, formatCents, formatQuantity } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import { boxes, type Disposal } from '../../engine/model.ts';
import { urlSafe } from '../../forms/lines.ts';
import { unknownDate } from '../../forms/missing-basis.ts';
import { buildFormDesk, type DeskEntry, type DeskForm } from '../../forms/reconciliation/desk.ts';
import { type DeskKind, deskKinds } from '../../forms/reconciliation/findings.ts';
import type { DeskFigures, DeskPart } from '../../forms/reconciliation/parts.ts';
import { limitDefault, page, readCursor } from '../../http/list.ts';
import { group, read } from '../../http/operations.ts';
import {
  closed,
  day,
  id,
  listOf,
  listQuery,
  money,
  nullable,
  oneOf,
  quantity,
  whole,
  year,
  yearParameter,
} from '../../http/schemas.ts';
import { readLines, readReported, readRules } from '../ledger/books/books.ts';
import { date } from '../ledger/books/line-members.ts';
import type { Access } from '../people/auth/access.ts';

const { onBooks } = group('Tax');

/** Compares the Forms 1099-B and 1099-DA for a year with our lines. */
export const reconciliationRoutes = (access: Access) =>
  new Elysia().use(access).get(
    '/forms',
    ({ books, taxpayer, query }) => readFormComparison((look) => books.snapshot(look), taxpayer.id, query),
    onBooks('getFormComparison', read, {
      summary: 'Compare Forms 1099 with our lines',
      description:
        'Lists each Form 1099-B and 1099-DA with its totals, our totals and the difference. Each row of a form is matched to lots, with the code and the reason for a difference, or to nothing. Our sales that are missing from the form of their account are also listed. The reports `reconciliation` and `reconciliation-csv` contain the same data as files.',
      query: {
        ...listQuery,
        year: yearParameter,
        show: t.Optional(oneOf(deskFilters, 'The entries to list. Default: all.')),
      },
      response: { 200: FormComparison },
    }),
  );

interface ComparisonRequest {
  readonly year: number;
  readonly show?: DeskFilter | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The entries of a comparison to list. */
export const deskFilters = ['all', 'differences', 'questions'] as const;
type DeskFilter = (typeof deskFilters)[number];

/** Returns the forms of a year with a page of their entries. `snapshot` runs the queries in one transaction. */
export async function readFormComparison(
  snapshot: <T>(look: (sql: Sql) => Promise<T>) => Promise<T>,
  taxpayerId: string,
  { year, show, limit = limitDefault, cursor }: ComparisonRequest,
) {
  const after = readCursor(cursor, ['string', 'string', 'day', 'string']);
  const compared = await snapshot(async (sql) => {
    const rules = await readRules(sql, taxpayerId);
    const reported = await readReported(sql, taxpayerId, year, rules);
    return { year, rules, reported, lines: await readLines(sql, taxpayerId, year) };
  });
  const { forms, entries } = buildFormDesk(compared);
  const shown = entries.filter(
    (entry) => isShown(entry, show) && (after === undefined || isAfter(toDeskCursor(entry), after)),
  );
  return { year, forms: forms.map(formView), ...page(shown.slice(0, limit + 1), limit, toDeskCursor, entryView) };
}

type DeskCursor = [account: string, form: string, day: string, id: string];

function toDeskCursor({ account, form, on, id }: DeskEntry): DeskCursor {
  return [account, form, formatDay(on), id];
}

function isAfter(entryCursor: DeskCursor, after: readonly string[]): boolean {
  const at = entryCursor.findIndex((part, index) => part !== after[index]);
  return at !== -1 && (entryCursor[at] ?? '') > (after[at] ?? '');
}

function isShown({ kind, asks }: DeskEntry, show: DeskFilter = 'all'): boolean {
  if (show === 'questions') return asks;
  return show === 'all' || kind !== 'matched';
}

const form = oneOf(['1099-B', '1099-DA']);
const kinds = Object.keys(deskKinds) as [DeskKind, ...DeskKind[]];

const figures = {
  proceeds: money,
  basis: money,
  adjustment: money,
  gain: money,
};

const Figures = closed({ ...figures, count: whole({ minimum: 0 }) }, { title: 'FormFigures' });

const Form = closed(
  {
    account: t.String(),
    form,
    corrected: t.Boolean({ description: 'Whether a corrected form replaced rows of this form.' }),
    shown: Figures,
    ours: Figures,
    difference: closed(figures, { description: 'Our amount less the form’s.' }),
    matched: whole({ minimum: 0 }),
    differing: whole({ minimum: 0 }),
    questions: whole({
      minimum: 0,
      description: 'Entries for which the taxpayer must decide whether the form or the books are right.',
    }),
  },
  { title: 'ReportedForm' },
);

const Entry = closed(
  {
    id,
    account: t.String(),
    form,
    date: day,
    asset: t.String(),
    kind: oneOf(kinds, 'The fields that differ between the form and the books.'),
    code: t.String({ description: 'Letters of column (f) that explain the difference.' }),
    value: money,
    asks: t.Boolean(),
    reason: t.String(),
    row: nullable(
      closed({
        transactionId: id,
        quantity: nullable(quantity),
        acquired: nullable(date),
        proceeds: money,
        basis: nullable(money),
        wash: nullable(money),
        box: nullable(oneOf(boxes)),
        term: nullable(oneOf(['short', 'long'])),
      }),
    ),
    lines: t.Array(
      closed({
        disposalId: id,
        lotId: t.String(),
        quantity,
        acquired: date,
        ...figures,
        code: t.String(),
        box: oneOf(boxes),
      }),
      { description: 'Our lines, one per lot. One row may have many, and many rows may share them.' },
    ),
  },
  { title: 'FormComparisonEntry' },
);

const FormComparison = closed(
  { year, forms: t.Array(Form), ...listOf(Entry).properties },
  {
    title: 'FormComparison',
    description:
      'The Forms 1099 of a year compared with our lines: the totals of each form, and a page of its entries.',
  },
);

function formView({ shown, ours, ...form }: DeskForm) {
  const subtract = (name: (typeof amounts)[number]): string => formatCents((ours[name] - shown[name]) as Cents);
  return {
    ...form,
    shown: { ...amountsView(shown), count: shown.count },
    ours: { ...amountsView(ours), count: ours.count },
    difference: {
      proceeds: subtract('proceeds'),
      basis: subtract('basis'),
      adjustment: subtract('adjustment'),
      gain: subtract('gain'),
    },
  };
}

function entryView({ id, account, form, on, asset, kind, code, value, asks, reason, row, shown, parts }: DeskEntry) {
  return {
    id: urlSafe(id),
    account,
    form,
    date: formatDay(on),
    asset,
    kind,
    code,
    value: formatCents(value),
    asks,
    reason,
    row:
      row === null || shown === null
        ? null
        : {
            transactionId: urlSafe(row.id),
            quantity: row.quantity === null ? null : formatQuantity(row.quantity),
            acquired: row.acquired === null ? null : formatDay(row.acquired),
            proceeds: formatCents(shown.proceeds),
            basis: row.basis === null ? null : formatCents(shown.basis),
            wash: row.wash === null ? null : formatCents(shown.adjustment),
            box: row.box,
            term: row.term,
          },
    lines: parts.map(partView),
  };
}

function partView(part: DeskPart) {
  const { line, units } = part;
  const { id, lotId, box } = line.disposal;
  return {
    disposalId: urlSafe(id),
    lotId: urlSafe(lotId),
    quantity: formatQuantity(units),
    acquired: formatAcquired(line.disposal),
    ...amountsView(part),
    code: line.code,
    box,
  };
}

const amounts = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

function amountsView({ proceeds, basis, adjustment, gain }: Omit<DeskFigures, 'count'>) {
  return {
    proceeds: formatCents(proceeds),
    basis: formatCents(basis),
    adjustment: formatCents(adjustment),
    gain: formatCents(gain),
  };
}

function formatAcquired({ acquired, acquiredVarious, inherited, purchaseUnknown }: Disposal): string {
  if (purchaseUnknown) return unknownDate;
  if (acquiredVarious) return 'VARIOUS';
  return inherited ? 'INHERITED' : formatDay(acquired);
}
