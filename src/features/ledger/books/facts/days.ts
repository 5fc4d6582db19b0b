import { hash } from 'node:crypto';
import type { Day } from '../../../../base/day.ts';
import { GrowingText } from '../../../../db/growing-text.ts';
import type { Fact } from '../../../../engine/model.ts';
import { columnsOf } from './tables.ts';

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
export interface ChangedDays {
  /** Days whose previous facts changed or were removed. */
  readonly gone: readonly Day[];
  readonly come: ReadonlySet<Day>;
}

export function compareDays(before: Days, after: Days): ChangedDays {
  const removed = [...before].filter(([day, digest]) => after.get(day) !== digest).map(([day]) => day);
  const added = [...after].filter(([day, digest]) => before.get(day) !== digest).map(([day]) => day);
  return { gone: removed, come: new Set(added) };
}
