import { freeze } from '../../src/features/gains/reports/frozen.ts';
import { insertBooks, insertReport } from '../../src/features/gains/reports/reports.queries.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import type { TestApp, TestClient } from '../support/app.ts';

/** Registers a user with a report for these books, as if they had been imported. */
export async function withReport(
  service: TestApp,
  books: ReportBooks,
): Promise<{ readonly person: TestClient; readonly id: string }> {
  const person = await service.register();
  const { digest, parts } = await freeze(books);
  const { year, revision, asOf } = books;
  const id = `big-${digest}`;
  await service.books.asOwner(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${person.email}`;
    const taxpayerId = row?.id ?? '';
    await insertBooks(sql, taxpayerId, digest, parts);
    await insertReport(sql, taxpayerId, { id, year, revision, asOf, digest, createdAt: new Date(0) });
  });
  return { person, id };
}
