import { hash } from 'node:crypto';
import { addDays, type Day, formatDay, yearOf } from '../../../base/day.ts';
import { ArrayColumn } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import { GrowingText } from '../../../db/growing-text.ts';
import type { Fact } from '../../../engine/model.ts';
import { columnsOf } from './fact-tables.ts';
import {
  type CausedSpan,
  type ColumnValues,
  deleteFacts,
  insertFacts,
  selectFactsOfBooks,
  takeFacts,
} from './facts.queries.ts';

/** A small number, so that preparing the text for the database does not delay other requests. */
const factsPerStatement = 1_000;
/**
 * The number of statements that the database may process while the next facts are converted to text. With one statement
 * at a time, an import of a million rows would spend a fifth of its time waiting. With this number, it hardly waits at
 * all.
 */
const statementsAtOnce = 16;

/** Writes facts to books in the order in which they arrive, a few thousand at a time. */
export class FactWriter {
  private readonly waiting = new Map<Fact['kind'], { facts: Fact[]; books: string[] }>();
  private readonly writing: Promise<void>[] = [];
  private readonly array = new ArrayColumn();

  constructor(
    private readonly sql: Sql,
    private readonly taxpayerId: string,
  ) {}

  add(book: string, fact: Fact): void {
    let batch = this.waiting.get(fact.kind);
    if (batch === undefined) {
      batch = { facts: [], books: [] };
      this.waiting.set(fact.kind, batch);
    }
    batch.facts.push(fact);
    batch.books.push(book);
    if (batch.facts.length === factsPerStatement) this.write(fact.kind);
  }

  /** Waits until few enough statements are pending to accept more facts. */
  async waitForCapacity(): Promise<void> {
    while (this.writing.length > statementsAtOnce) await this.writing.shift();
  }

  /** Writes the remaining facts and waits until all are written. */
  async end(): Promise<void> {
    for (const kind of [...this.waiting.keys()]) {
      this.write(kind);
      await this.waitForCapacity();
    }
    await Promise.all(this.writing.splice(0));
  }

  /** Waits until all writes have finished, successfully or not. */
  async waitForWrites(): Promise<void> {
    await Promise.allSettled(this.writing);
  }

  private write(kind: Fact['kind']): void {
    const { facts, books } = this.waiting.get(kind) ?? { facts: [], books: [] };
    this.waiting.delete(kind);
    const names = bookColumn(books, this.array);
    const written = insertFacts(this.sql, this.taxpayerId, kind, names, buildColumnValues(kind, facts, this.array));
    // Prevents an unhandled rejection before `room`, `end` or `settled` awaits the promise. That code gets the error.
    written.catch(() => undefined);
    this.writing.push(written);
  }
}

/** Writes facts to books. */
export async function writeFacts(
  sql: Sql,
  taxpayerId: string,
  books: readonly { readonly book: string; readonly come: readonly Fact[] }[],
): Promise<void> {
  const writer = new FactWriter(sql, taxpayerId);
  try {
    for (const { book, come } of books) {
      for (const [at, fact] of come.entries()) {
        writer.add(book, fact);
        if (at % factsPerStatement === 0) await writer.waitForCapacity();
      }
    }
    await writer.end();
  } finally {
    await writer.waitForWrites();
  }
}

function bookColumn(books: readonly string[], array: ArrayColumn): ColumnValues {
  const [first = ''] = books;
  if (books.every((book) => book === first)) return { kind: 'all', value: first };
  for (const [row, book] of books.entries()) array.name(row, book);
  return { kind: 'each', values: array.take(books.length) };
}

function buildColumnValues(kind: Fact['kind'], facts: readonly Fact[], array: ArrayColumn): ColumnValues[] {
  const columns = columnsOf(kind);
  return columns.map(([member, column], at): ColumnValues => {
    const read = (fact: Fact): unknown => fact[member as keyof Fact];
    const first = read(facts[0] as Fact);
    // The array of ids determines the number of rows, so a single fact needs an array too.
    if (facts.length > 1) {
      if (facts.every((fact) => read(fact) === first)) return { kind: 'all', value: column.write(first) };
      const as = column.type === 'date' ? columns.findIndex(([other]) => hasSame(facts, other, member)) : at;
      if (as < at) return { kind: 'same', as };
    }
    const isFree = column.type === 'text' || column.type === 'text[]';
    for (const [row, fact] of facts.entries()) {
      const value = column.write(read(fact));
      if (isFree) array.free(row, value);
      else array.plain(row, value);
    }
    return { kind: 'each', values: array.take(facts.length) };
  });
}

/**
 * Returns whether two day fields are equal in all facts. Most days in a disposal equal the day of the sale or the
 * purchase.
 */
function hasSame(facts: readonly Fact[], member: string, other: string): boolean {
  return facts.every((fact) => fact[member as keyof Fact] === fact[other as keyof Fact]);
}

/** The facts of a book that must be written again. */
export interface Rewriting {
  readonly book: string;
  /** All facts of the replay, by the day that caused them. */
  readonly days: ReadonlyMap<Day, readonly Fact[]>;
  readonly changed: ChangedDays;
  /** The last day of the book. Facts caused later apply to a future day, and each replay creates them again. */
  readonly asOf: Day | null;
  /**
   * The previous last day of the book. Stored facts after it applied to a future day and are removed. Null if there are
   * none.
   */
  readonly waitedAfter: string | null;
}

/** A book's removed and added facts, and the unchanged facts that belong to the same lines. */
export interface FactChanges {
  readonly gone: readonly Fact[];
  readonly come: readonly Fact[];
  readonly beside: readonly Fact[];
}

/** Replaces the facts of the given books. Unchanged days are neither read nor written. Returns the changes by book. */
export async function rewriteFacts(
  sql: Sql,
  taxpayerId: string,
  books: readonly Rewriting[],
): Promise<Map<string, FactChanges>> {
  const factsByBook = Map.groupBy(
    await takeFacts(sql, taxpayerId, books.flatMap(listRemovedSpans)),
    ({ book }) => book,
  );
  const changes = books.map((one) => {
    const gone = (factsByBook.get(one.book) ?? []).map(({ fact }) => fact);
    return { book: one.book, gone, come: listAddedFacts(one) };
  });
  const beside = await selectRelatedFacts(sql, taxpayerId, changes);
  await writeFacts(sql, taxpayerId, changes);
  return new Map(
    changes.map(({ book, gone, come }, at) => [book, { gone, come, beside: beside[at] as readonly Fact[] }]),
  );
}

/** Like `rewriteFacts`, but does not read the removed facts. Returns the years whose facts changed. */
export async function replaceFacts(sql: Sql, taxpayerId: string, books: readonly Rewriting[]): Promise<number[]> {
  const lost = await deleteFacts(sql, taxpayerId, books.flatMap(listRemovedSpans));
  const coming = books.map((one) => ({ book: one.book, come: listAddedFacts(one) }));
  await writeFacts(sql, taxpayerId, coming);
  return [...new Set([...lost, ...coming.flatMap(({ come }) => come.map((fact) => yearOf(fact.on)))])];
}

/** Returns the days whose facts must be removed, with consecutive days merged into one span. */
function listRemovedSpans({ book, changed, waitedAfter }: Rewriting): CausedSpan[] {
  const spans: CausedSpan[] = [];
  const days = changed.gone.toSorted((a, b) => a - b);
  for (let at = 0; at < days.length; at++) {
    const first = days[at] as Day;
    while (days[at + 1] === (days[at] as Day) + 1) at++;
    spans.push({ book, after: formatDay(addDays(first, -1)), until: formatDay(days[at] as Day) });
  }
  if (waitedAfter !== null) spans.push({ book, after: waitedAfter, until: 'infinity' });
  return spans;
}

function listAddedFacts({ days, changed, asOf }: Rewriting): Fact[] {
  return [...days].flatMap(([day, facts]) => (changed.come.has(day) || asOf === null || day > asOf ? facts : []));
}

/**
 * Selects the unchanged disposals and wash sales of changed lines. A line on Form 8949 is a disposal with its wash
 * sales, so a change to one part requires the other. Searches only this book, because the row's previous book may still
 * contain facts that the row caused.
 */
async function selectRelatedFacts(
  sql: Sql,
  taxpayerId: string,
  changes: readonly { readonly book: string; readonly gone: readonly Fact[]; readonly come: readonly Fact[] }[],
): Promise<Fact[][]> {
  const asked = changes.map(({ book, gone, come }) => ({ book, ...collectChangedLines(gone, come) }));
  const disposals = await selectFactsOfBooks(sql, 'disposal', taxpayerId, asked.flatMap(listLineDays('disposals')));
  const washes = await selectFactsOfBooks(sql, 'wash', taxpayerId, asked.flatMap(listLineDays('washes')));
  const [disposalsOf, washesOf] = [Map.groupBy(disposals, bookOf), Map.groupBy(washes, bookOf)];
  return asked.map((one) => [
    ...(disposalsOf.get(one.book) ?? []).map(({ fact }) => fact).filter(({ id }) => one.disposals.has(id)),
    ...(washesOf.get(one.book) ?? []).map(({ fact }) => fact).filter(({ disposalId }) => one.washes.has(disposalId)),
  ]);
}

/** The days of the disposals and of the wash sales to select, by disposal id. */
interface ChangedLines {
  readonly disposals: ReadonlyMap<string, Day>;
  readonly washes: ReadonlyMap<string, Day>;
}

function collectChangedLines(gone: readonly Fact[], come: readonly Fact[]): ChangedLines {
  const here = new Set<string>();
  // A wash sale has the same day as its disposal.
  const washed = new Map<string, Day>();
  for (const fact of come) {
    if (fact.kind === 'disposal') here.add(fact.id);
    else if (fact.kind === 'wash') washed.set(fact.disposalId, fact.on);
  }
  for (const fact of gone) {
    if (fact.kind === 'wash') washed.set(fact.disposalId, fact.on);
    else if (fact.kind === 'disposal') {
      here.add(fact.id);
      washed.set(fact.id, fact.on);
    }
  }
  const disposals = new Map([...washed].filter(([id]) => !here.has(id)));
  return { disposals, washes: gone.length === 0 ? disposals : washed };
}

function listLineDays(kind: keyof ChangedLines) {
  return (lines: ChangedLines & { readonly book: string }): { book: string; day: string }[] =>
    [...new Set(lines[kind].values())].map((on) => ({ book: lines.book, day: formatDay(on) }));
}

function bookOf({ book }: { readonly book: string }): string {
  return book;
}

/**
 * A digest of the facts (results such as disposals, wash sales and issues) for each day that caused them. A replay
 * rewrites only days with different facts, and does not read the others.
 */
export type Days = ReadonlyMap<Day, string>;

/** Returns the digest of facts. `before` is the digest of the day's earlier facts. */
export function computeDigest(facts: readonly Fact[], before = ''): string {
  text.add(before);
  for (const fact of facts) {
    text.add(fact.kind);
    for (const [member] of columnsOf(fact.kind)) {
      // Separates the fields with a NUL character, which no text in the database contains.
      text.addCode(0);
      text.add(String(fact[member as keyof Fact]));
    }
    text.addCode(0);
  }
  return hash('sha1', text.take(), 'base64').slice(0, digestLength);
}

/** A buffer that is reused for each day. */
const text = new GrowingText();

/** 66 bits. */
const digestLength = 11;

export function daysText(days: Days): string {
  return [...days].map(([day, digest]) => `${day}:${digest}`).join(' ');
}

export function daysFromText(text: string): [Day, string][] {
  if (text === '') return [];
  return text.split(' ').map((entry) => {
    const at = entry.indexOf(':');
    return [Number(entry.slice(0, at)) as Day, entry.slice(at + 1)];
  });
}

/** The days whose facts changed. */
interface ChangedDays {
  /** Days whose previous facts changed or were removed. */
  readonly gone: readonly Day[];
  readonly come: ReadonlySet<Day>;
}

export function compareDays(before: Days, after: Days): ChangedDays {
  const removed = [...before].filter(([day, digest]) => after.get(day) !== digest).map(([day]) => day);
  const added = [...after].filter(([day, digest]) => before.get(day) !== digest).map(([day]) => day);
  return { gone: removed, come: new Set(added) };
}
