import { ArrayColumn } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Fact } from '../../../../engine/model.ts';
import { type ColumnValues, insertFacts } from './facts.queries.ts';
import { columnsOf } from './tables.ts';

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
