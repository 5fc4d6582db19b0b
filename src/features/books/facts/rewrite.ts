import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import { ArrayColumn } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact } from '../../../engine/model.ts';
import type { ChangedDays } from './days.ts';
import { type BookScope, type ColumnValues, deleteFacts, insertFacts, selectFactsOn, takeFacts } from './queries.ts';
import { columnsOf } from './tables.ts';

/** What of a book's facts is written again. */
export interface Rewriting {
  /** All facts of the replay, by the day that caused them. */
  readonly days: ReadonlyMap<Day, readonly Fact[]>;
  readonly changed: ChangedDays;
  /** The last day of the book: facts caused later wait for a day to come; each replay raises them again. */
  readonly asOf: Day | null;
  /** The last day of the book before, where something may have waited then. */
  readonly waitedAfter: string | null;
}

/** Facts that left and came, with those that stay and are to be read together with them. */
export interface FactChanges {
  readonly gone: readonly Fact[];
  readonly come: readonly Fact[];
  readonly beside: readonly Fact[];
}

/** The facts of a book become these; of days that stay as they are none is read nor written. */
export async function rewriteFacts(sql: Sql, scope: BookScope, rewriting: Rewriting): Promise<FactChanges> {
  const { changed, waitedAfter } = rewriting;
  const isAsItWas = changed.gone.length === 0 && waitedAfter === null;
  const gone = isAsItWas ? [] : await takeFacts(sql, scope, changed.gone, waitedAfter);
  const come = comingOf(rewriting);
  const beside = await factsBeside(sql, scope, gone, come);
  await writeFacts(sql, scope, come);
  return { gone, come, beside };
}

/** As rewriteFacts, but without reading what left. Returns the years whose facts changed. */
export async function replaceFacts(sql: Sql, scope: BookScope, rewriting: Rewriting): Promise<number[]> {
  const { changed, waitedAfter } = rewriting;
  const isAsItWas = changed.gone.length === 0 && waitedAfter === null;
  const lost = isAsItWas ? [] : await deleteFacts(sql, scope, changed.gone, waitedAfter);
  const come = comingOf(rewriting);
  await writeFacts(sql, scope, come);
  return [...new Set([...lost, ...come.map((fact) => yearOf(fact.on))])];
}

function comingOf({ days, changed, asOf }: Rewriting): Fact[] {
  return [...days].flatMap(([day, facts]) => (changed.come.has(day) || asOf === null || day > asOf ? facts : []));
}

/** Few enough that writing them down for the database does not hold up other requests. */
const factsPerStatement = 1_000;

/** Adds facts to a book. */
export async function writeFacts(sql: Sql, scope: BookScope, facts: readonly Fact[]): Promise<void> {
  const array = new ArrayColumn();
  let writing = Promise.resolve();
  for (const [kind, own] of Map.groupBy(facts, (fact) => fact.kind)) {
    for (let at = 0; at < own.length; at += factsPerStatement) {
      const part = own.slice(at, at + factsPerStatement);
      const values = valuesOf(kind, part, array);
      // The next rows are made into text while the database writes these.
      await writing;
      writing = insertFacts(sql, scope, kind, values);
      writing.catch(() => undefined);
    }
  }
  await writing;
}

function valuesOf(kind: Fact['kind'], facts: readonly Fact[], array: ArrayColumn): ColumnValues[] {
  const columns = columnsOf(kind);
  return columns.map(([member, column], at): ColumnValues => {
    const read = (fact: Fact): unknown => fact[member as keyof Fact];
    const first = read(facts[0] as Fact);
    // The array of the ids says how many rows there are: of a single fact it is one, too.
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

/** Most days of a disposal are one of two: the day of the sale and that of the purchase. */
function hasSame(facts: readonly Fact[], member: string, other: string): boolean {
  return facts.every((fact) => fact[member as keyof Fact] === fact[other as keyof Fact]);
}

/**
 * A line is a disposal with its wash sales: of those that changed in one part the others stay, and count. Those of this
 * book only: what a row caused in a book that it leaves may still be there.
 */
async function factsBeside(sql: Sql, scope: BookScope, gone: readonly Fact[], come: readonly Fact[]): Promise<Fact[]> {
  const here = new Set<string>();
  // A wash sale has the day of its disposal.
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
  const elsewhere = new Map([...washed].filter(([id]) => !here.has(id)));
  const known = gone.length === 0 ? elsewhere : washed;
  const disposals = elsewhere.size === 0 ? [] : await selectFactsOn(sql, 'disposal', scope, daysOf(elsewhere));
  const washes = known.size === 0 ? [] : await selectFactsOn(sql, 'wash', scope, daysOf(known));
  return [
    ...disposals.filter(({ id }) => elsewhere.has(id)),
    ...washes.filter(({ disposalId }) => known.has(disposalId)),
  ];
}

function daysOf(disposals: ReadonlyMap<string, Day>): string[] {
  return [...new Set(disposals.values())].map(formatDay);
}
