import { hash } from 'node:crypto';
import { t } from 'elysia';
import { type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import { type AssumedForm, assumedForms } from '../../../forms/assumed-forms.ts';
import { columnBChoices, digitalAssetChoices, type FormChoices, mergeChoices } from '../../../forms/choices.ts';
import { partsMax } from '../../../forms/exports/tabular.ts';
import { reportFormats } from '../../../forms/index.ts';
import type { StoredAnswer } from '../../../forms/report.ts';
import { oneOf, wholeParameter } from '../../../http/schemas.ts';
import { reportBooks } from '../../ledger/books/books.ts';
import { selectWorklist, type WorklistRow } from '../../ledger/issues/issues.queries.ts';
import { parseCentsColumn, parseDayColumn } from '../../ledger/transactions/rows.ts';
import { takeSubjects } from '../../people/notifications.queries.ts';
import { notify } from '../../people/notifications.ts';
import { freeze } from './frozen.ts';
import {
  deleteOldReports,
  insertBooks,
  insertReport,
  type ReportRow,
  selectAnswers,
  selectReport,
} from './reports.queries.ts';

/**
 * The number of newest reports to keep per year. Older reports are deleted. A report with 100,000 lines takes about 5
 * MB.
 */
const reportsPerYearMax = 50;

/**
 * Creates the report for a year from the current books. If nothing has changed, returns the existing report. Runs in the
 * caller's transaction and under the taxpayer's lock, because several statements read the books.
 */
export async function createReport(sql: Sql, taxpayerId: string, year: number, now: Date): Promise<ReportRow> {
  await withTaxpayerLock(sql, taxpayerId);
  const answers = await readAnswers(sql, taxpayerId, year);
  const yearBooks = await reportBooks(sql, taxpayerId, year);
  const books = answers.length === 0 ? yearBooks : { ...yearBooks, answers };
  const { digest, parts } = await freeze(books);
  const { revision } = books;
  // Files show the date of their report, so that the same report always produces the same bytes.
  const asOf = now.toISOString();
  const id = hash('sha256', JSON.stringify([taxpayerId, year, revision, digest]), 'hex').slice(0, idDigits);
  await insertBooks(sql, taxpayerId, digest, parts);
  await insertReport(sql, taxpayerId, { id, year, revision, asOf, digest, createdAt: now });
  await deleteOldReports(sql, taxpayerId, year, reportsPerYearMax);
  const report = await selectReport(sql, taxpayerId, id);
  if (report === undefined) throw new Error('A new report is missing.');
  await askForForms(sql, taxpayerId, assumedForms(books), now);
  return report;
}

/** Creates the reports of several years for a calculation. */
export async function createReports(
  sql: Sql,
  taxpayerId: string,
  years: readonly number[],
  now: Date,
): Promise<{ id: string; year: number }[]> {
  const reports: { id: string; year: number }[] = [];
  for (const year of years) {
    const { id } = await createReport(sql, taxpayerId, year, now);
    reports.push({ id, year });
  }
  return reports;
}

const idDigits = 24;

/** More items than anyone keeps by hand. A batch of one filter counts item by item. */
const keptMax = 10_000;

/** Returns the taxpayer's answers to issues of a year: kept items, largest amount first, and then all others. */
async function readAnswers(sql: Sql, taxpayerId: string, year: number): Promise<StoredAnswer[]> {
  const filter = { status: 'accepted', kind: null, year, asset: null, account: null } as const;
  const kept = await selectWorklist(sql, taxpayerId, filter, null, keptMax);
  return [...kept, ...(await selectAnswers(sql, taxpayerId, year))].map(toAnswer);
}

function toAnswer(
  row: Pick<WorklistRow, 'action' | 'issue' | 'on' | 'asset' | 'account' | 'dollars' | 'note' | 'given'>,
): StoredAnswer {
  const { basis, acquired, quantity, amount, assetClass } = row.given ?? {};
  const values = Object.entries({ basis, acquired, quantity, amount, assetClass });
  return {
    action: row.action ?? 'accept',
    issue: row.issue,
    on: parseDayColumn(row.on),
    asset: row.asset,
    account: row.account,
    dollars: row.dollars === null ? null : parseCentsColumn(row.dollars),
    note: row.note ?? '',
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  };
}

const kind = 'confirm_form';

/**
 * Asks the taxpayer to confirm the form of each account if the rows or the name suggest one. Asks once, when the first
 * report includes lines of the account.
 */
async function askForForms(sql: Sql, taxpayerId: string, assumed: readonly AssumedForm[], at: Date): Promise<void> {
  const suggested = assumed.filter(({ suggestedForm }) => suggestedForm !== null);
  if (suggested.length === 0) return;
  const subjects = suggested.map(({ account }) => ({ subject: account, untilOn }));
  const unasked = await takeSubjects(sql, taxpayerId, kind, subjects, at.toISOString().slice(0, 10));
  for (const { account, text: body } of suggested) {
    if (!unasked.has(account)) continue;
    const title = `Confirm the tax form of ${account}`;
    await notify(sql, taxpayerId, { kind, title, body, link: '/v1/tax/settings', at });
  }
}

/** An account is never asked about again. */
const untilOn = '9999-12-31';

const formatIds = reportFormats.map((format) => format.id);
const flag = (description: string) => t.Optional(t.Boolean({ description }));
const linesMaxMax = 1_000_000;

/**
 * The query parameters of a download: the format and its options. Each format accepts only the options that it uses.
 */
export const choicesQuery = {
  format: t.Optional(
    oneOf(
      formatIds,
      'The default depends on `Accept` (application/pdf, text/csv, application/json) and is otherwise 8949.',
    ),
  ),
  wholeDollars: flag('Amounts in whole dollars. The default is the election in the settings.'),
  columnB: t.Optional(
    oneOf(
      columnBChoices,
      'Which date acquired to show for lots with a tacked holding period: the start of the holding period if it decides the term (default), always that day, or the trade date.',
    ),
  ),
  merge: t.Optional(
    oneOf(
      mergeChoices,
      'One row for the parts of a lot sold on one day, or for all lots of a sale (VARIOUS if their dates differ). Default: one row per line.',
    ),
  ),
  digitalAssets: t.Optional(
    oneOf(
      digitalAssetChoices,
      'TXF has no code for boxes G to L: written as not reported (default), or left out. The warnings list them.',
    ),
  ),
  exception1: flag(
    'Reports totals of lines that need no Form 8949 (basis reported, no code, no adjustment) directly on Schedule D, lines 1a and 8a.',
  ),
  exception2: flag(
    'One row of totals for each account and box, code M. The PDF of format 8949 includes the statement.',
  ),
  linesMax: t.Optional(
    wholeParameter('linesMax', {
      minimum: 1,
      maximum: linesMaxMax,
      description:
        'Maximum rows per file. More rows are split into several files in a ZIP. The default is 2,000 for TaxAct, 4,000 for TurboTax, and one file for the others.',
    }),
  ),
  part: t.Optional(
    wholeParameter('part', {
      minimum: 1,
      maximum: partsMax,
      description: 'Returns only the file with this number, counted from 1.',
    }),
  ),
};

export function pickFormChoices({
  format: _format,
  client: _client,
  ...choices
}: FormChoices & { readonly format?: string; readonly client?: string }): FormChoices {
  return choices;
}
