import { hash } from 'node:crypto';
import { type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import { assumedForms } from '../../../forms/assumed-forms.ts';
import { reportBooks } from '../../ledger/books/books.ts';
import { readAnswers } from './answers.ts';
import { askForForms } from './forms-to-confirm.ts';
import { freeze } from './frozen.ts';
import { deleteOldReports, insertBooks, insertReport, type ReportRow, selectReport } from './reports.queries.ts';

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
