import { type Day, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { isOnOtherReturn } from '../../../engine/book/separate-returns.ts';
import { findFormNames, linksOfFormNames } from '../../../engine/events/form-names.ts';
import { listAssetKeys, listAssetLinks } from '../../../engine/events/keys.ts';
import { isSummed } from '../../../engine/facts.ts';
import type { Fact, FormAssetNames, Issue, Rules, TaxYearSummary, Transaction } from '../../../engine/model.ts';
import { emptyBook, openLots, replay } from '../../../engine/replay.ts';
import { accountTypeIssues, accountYears } from '../../../engine/rules/questions/account-types.ts';
import { listNearNewYear, zoneIssues } from '../../../engine/rules/questions/new-year.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { formIssues } from '../../../forms/reconciliation/form-issues.ts';
import { addValuations } from '../prices/valuations.ts';
import type { Elections } from '../transactions/elections.ts';
import { type AcceptedIssues, readAccepted, withoutAccepted } from '../transactions/resolutions.ts';
import { readProposedRows, readRejectedLines } from '../transactions/row-issues.ts';
import { parseDayColumn, toTransaction } from '../transactions/rows.ts';
import { selectAllTransactions, selectLastDay, selectYears } from './books.queries.ts';
import {
  carryoverFromText,
  carryoverIssues,
  carryThrough,
  getCarryover,
  summaryFromText,
  sumSummaries,
} from './netting.ts';
import { readNameIssues, readStatedGainIssues } from './questions.ts';
import { Components } from './replay-books.ts';
import { summariesOfIssues, summarizeFacts } from './summaries.ts';
import type { YearBooks } from './view.ts';

export interface CalculationCounts {
  readonly transactions: number;
  readonly disposals: number;
  readonly openLots: number;
  readonly years: readonly YearBooks[];
  /** The years with at least one line on Form 8949. */
  readonly yearsOfDisposals: readonly number[];
}

/**
 * Calculates everything from the first transaction. Reads only transactions, no stored results. `beside` contains the
 * issues that belong to no book.
 */
export async function calculate(
  sql: Sql,
  taxpayerId: string,
  elections: Elections,
  unbookedIssues: readonly Issue[] = [],
): Promise<CalculationCounts> {
  const stored = await selectAllTransactions(sql, taxpayerId);
  const stated = stored.map(toTransaction);
  const formNames = findFormNames(stated, elections.rules.assets);
  const rules = { ...elections.rules, ...(formNames === undefined ? {} : { formNames }) };
  const transactions = await addValuations(sql, taxpayerId, stored);
  const accepted = await readAccepted(sql, taxpayerId);
  const last = await selectLastDay(sql, taxpayerId);
  const through = last === null ? null : parseDayColumn(last);
  const facts: Fact[] = withoutAccepted([...unbookedIssues], accepted);
  let lots = 0;
  const books = splitIntoBooks(transactions, formNames);
  for (const book of books) {
    const replayed = await replayAlone(book, rules, through);
    for (const fact of withoutAccepted(replayed.facts, accepted)) facts.push(fact);
    lots += openLots(replayed.book).length;
  }
  for (const issue of withoutAccepted(accountTypeIssues(accountYears(facts, elections.rules)), accepted))
    facts.push(issue);
  const ofGains = await readStatedGainIssues(sql, taxpayerId, { rules, through, facts });
  for (const issue of withoutAccepted(ofGains, accepted)) facts.push(issue);
  const rows = new Map(transactions.map((row) => [row.id, row]));
  const near = listNearNewYear(facts, elections.rules, (id) => rows.get(id));
  const zone = withoutAccepted(zoneIssues(near), accepted);
  for (const issue of withoutAccepted(findFormIssues(facts, stated, rules), accepted)) facts.push(issue);
  const keys = books.map((book) => book.keys);
  for (const issue of withoutAccepted(await readNameIssues(sql, taxpayerId, rules, keys, facts), accepted))
    facts.push(issue);
  for (const fact of await readRejectedLines(sql, taxpayerId)) facts.push(fact);
  for (const fact of await readProposedRows(sql, taxpayerId)) facts.push(fact);
  const byYear = [...Map.groupBy(facts.filter(isSummed), (fact) => yearOf(fact.on))].sort(([a], [b]) => a - b);
  const summaries = withQuestions(
    sumByYear([...byYear.map(([year, own]) => summarizeFacts(year, own)), ...summariesOfIssues(zone)]),
    elections,
    accepted,
  );
  const carried = carryThrough(summaries, elections);
  const disposals = facts.filter((fact) => fact.kind === 'disposal');
  return {
    transactions: transactions.length,
    disposals: disposals.length,
    openLots: lots,
    years: summaries.map((summary) => ({ summary, carryover: getCarryover(carried, summary.year) })),
    yearsOfDisposals: [...new Set(disposals.map((disposal) => yearOf(disposal.on)))].sort((a, b) => a - b),
  };
}

/** Finds the issues for all years with rows from Forms 1099. */
function findFormIssues(facts: readonly Fact[], transactions: readonly Transaction[], rules: Rules): Issue[] {
  const rows = transactions.filter(({ type }) => type === 'reported_sale' || type === 'reported_total');
  const reported = rows.filter(({ account, on }) => !isOnOtherReturn(rules, account, on));
  return [...Map.groupBy(reported, ({ on }) => yearOf(on))].flatMap(([year, own]) => {
    const ofYear = facts.filter(({ on }) => yearOf(on) === year);
    const disposals = ofYear.filter((fact) => fact.kind === 'disposal');
    const washes = ofYear.filter((fact) => fact.kind === 'wash');
    return formIssues({ year, rules, reported: own, lines: buildLines(disposals, washes) });
  });
}

/** Adds the issues about losses carried over between years. */
function withQuestions(
  summaries: readonly TaxYearSummary[],
  elections: Elections,
  accepted: AcceptedIssues,
): TaxYearSummary[] {
  const carryovers = withoutAccepted(carryoverIssues(summaries, elections), accepted);
  return sumByYear([...summaries, ...summariesOfIssues(carryovers)]);
}

function sumByYear(parts: readonly TaxYearSummary[]): TaxYearSummary[] {
  const byYear = Map.groupBy(parts, ({ year }) => year);
  return [...byYear].sort(([a], [b]) => a - b).map(([year, own]) => sumSummaries(year, own));
}

interface BookHistory {
  readonly keys: ReadonlySet<string>;
  readonly transactions: readonly Transaction[];
}

function splitIntoBooks(transactions: readonly Transaction[], formNames: FormAssetNames | undefined): BookHistory[] {
  const components = new Components([...transactions.flatMap(listAssetLinks), ...linksOfFormNames(formNames)]);
  const books = new Map<string, { keys: Set<string>; transactions: Transaction[] }>();
  for (const transaction of transactions) {
    const names = new Set<string>();
    for (const key of listAssetKeys(transaction)) {
      const name = components.resolveBook(key);
      const book = books.get(name) ?? { keys: new Set(), transactions: [] };
      books.set(name, book);
      book.keys.add(key);
      if (!names.has(name)) book.transactions.push(transaction);
      names.add(name);
    }
  }
  return [...books.values()];
}

/** Replays a book after other requests had a chance to run. */
async function replayAlone(book: BookHistory, rules: Rules, through: Day | null) {
  await new Promise((resolve) => setImmediate(resolve));
  return replay(emptyBook(), book.transactions, rules, book.keys, { through });
}

export interface Difference {
  readonly year: number;
  readonly member: string;
  readonly stored: string;
  readonly calculated: string;
}

/** Returns the differences between the stored and the calculated values. */
export async function differencesFrom(
  sql: Sql,
  taxpayerId: string,
  years: readonly YearBooks[],
): Promise<Difference[]> {
  const stored = new Map(
    (await selectYears(sql, taxpayerId)).map((row) => [
      row.year,
      { summary: summaryFromText(row.summary), carryover: carryoverFromText(row.carryover) },
    ]),
  );
  const calculated = new Map(years.map((year) => [year.summary.year, year]));
  const all = [...new Set([...stored.keys(), ...calculated.keys()])].sort((a, b) => a - b);
  return all.flatMap((year) =>
    compare(year, serializeMembers(stored.get(year)), serializeMembers(calculated.get(year))),
  );
}

function serializeMembers(books: YearBooks | undefined): Map<string, string> {
  if (books === undefined) return new Map();
  const members = { ...books.summary, carryover: books.carryover };
  return new Map(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value, bigintText) ?? '']));
}

function compare(year: number, stored: Map<string, string>, calculated: Map<string, string>): Difference[] {
  const members = [...new Set([...stored.keys(), ...calculated.keys()])];
  return members.flatMap((member) => {
    const [before, after] = [stored.get(member) ?? '', calculated.get(member) ?? ''];
    return before === after ? [] : [{ year, member, stored: before, calculated: after }];
  });
}

function bigintText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
