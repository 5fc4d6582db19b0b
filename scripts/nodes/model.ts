import { hash } from 'node:crypto';
import { canonicalJson } from '../../src/base/json.ts';
import { booksOfYear } from '../../src/commands/report/books.ts';
import { FileHistory } from '../../src/commands/report/history.ts';
import { summaryReport } from '../../src/commands/report/summary.ts';
import { toClassRules } from '../../src/features/ledger/transactions/elections.ts';
import { readFile } from '../../src/formats/read.ts';
import { formatFigures } from '../../src/forms/figures.ts';
import type { Figures, Write } from './history.ts';
import { formatRowsCsv, generateRows, type MadeRow } from './made-rows.ts';

/** The books of a user as a list of rows, as a single thread that does one thing at a time would store them. */
export interface State {
  /** Equal rows have the same name. */
  readonly name: string;
  readonly rows: ReadonlyMap<string, MadeRow>;
}

export const emptyState: State = toState(new Map());

/** Returns the state after a write. */
export function after({ rows }: State, write: Write): State {
  const next = new Map(rows);
  if (write.kind === 'import' || write.kind === 'enter') {
    // A row that is already stored is a duplicate.
    for (const row of generateRows(write.file)) if (!next.has(row.id)) next.set(row.id, row);
  } else if (write.kind === 'edit') {
    const row = next.get(write.row);
    if (row !== undefined) next.set(write.row, { ...row, amount: write.amount });
  } else {
    for (const id of rows.keys()) if (fileOf(id) === write.file) next.delete(id);
  }
  return toState(next);
}

export function fileOf(rowId: string): string {
  return rowId.slice(0, rowId.lastIndexOf('-'));
}

/** Returns the rows as the list of transactions shows them. */
export function listStateRows({ rows }: State): string[] {
  return [...rows.values()].map(({ id, amount }) => `${id} ${amount}`).sort();
}

function toState(rows: ReadonlyMap<string, MadeRow>): State {
  return { name: hash('sha256', listStateRows({ name: '', rows }).join('\n'), 'hex').slice(0, 16), rows };
}

/** Computes the expected summary for a year in each state, once. */
export class Replays {
  readonly #figures = new Map<string, Promise<string>>();

  /** Returns text with sorted fields so that equal figures have equal texts. */
  computeFigures(state: State, year: number): Promise<string> {
    const key = `${state.name} ${year}`;
    let found = this.#figures.get(key);
    if (found === undefined) {
      found = replayed(state, year);
      this.#figures.set(key, found);
    }
    return found;
  }
}

/** Runs the engine over all rows in the state in memory, from the first one, as `lotbook report` does. */
async function replayed(state: State, year: number): Promise<string> {
  const history = new FileHistory(toClassRules({}));
  for await (const batch of readFile(new Blob([formatRowsCsv(state.rows.values())]).stream(), {
    timeZone: 'UTC',
    format: 'lotbook',
  })) {
    if (batch.kind === 'format') history.begin('rows.csv', batch.format, batch.layout.id);
    const file = history.files[0];
    if (file === undefined) throw new Error('Rows came before their format.');
    if (batch.kind === 'end') history.end(file, batch);
    else if (batch.kind === 'outcomes')
      for (const outcome of batch.outcomes) if (outcome.kind === 'read') history.add(outcome.drafts, file);
  }
  history.settleTickers();
  return serializeCompared(computeYearFigures(history, year));
}

function computeYearFigures(history: FileHistory, year: number): Figures {
  if (history.length === 0) return { count: 0 };
  const nothing = { prices: null, balances: [], sources: [], rejected: [], name: '', tin: '' };
  const lists = summaryReport.reads;
  const books = booksOfYear(history, { year, settings: {}, timeZone: 'UTC', ...nothing, lists, onRows: () => {} });
  return { ...formatFigures(books.summary), issues: books.summary.issues };
}

const compared = ['shortTerm', 'longTerm', 'total', 'washSaleDisallowed', 'boxes', 'assets', 'issues'] as const;

/** Keeps the fields that a response and a replay have in common. Empty books have none. */
export function serializeCompared(figures: Figures): string {
  const { total } = figures as { readonly total?: { readonly count: number } };
  if ((total?.count ?? 0) === 0 && (figures.issues ?? 0) === 0) return 'nothing';
  return canonicalJson(Object.fromEntries(compared.map((member) => [member, figures[member]])));
}
