import { hash } from 'node:crypto';
import { type Day, formatDay } from '../../../base/day.ts';
import type { Contract1256, Fact, Income, Issue } from '../../../engine/model.ts';
import { type DisposalGroups, disposalGroups, type WashSaleGroups, washSaleGroups } from './grouped.ts';

/** The facts that one day caused, as they are stored. */
export interface FactsOfDay {
  readonly disposals: DisposalGroups;
  readonly washSales: WashSaleGroups;
  /** Those that have a row of their own. */
  readonly others: (Income | Contract1256 | Issue)[];
}

/** Puts these facts, too, to the days that caused them. */
export function addToDays(days: Map<Day, FactsOfDay>, facts: readonly Fact[]): void {
  let [last, own]: [Day | null, FactsOfDay] = [null, noFacts()];
  for (const fact of facts) {
    // They come day by day, mostly.
    if (fact.causedOn !== last) {
      last = fact.causedOn;
      own = days.get(last) ?? noFacts();
      days.set(last, own);
    }
    if (fact.kind === 'disposal') own.disposals.add(fact);
    else if (fact.kind === 'wash') own.washSales.add(fact);
    else own.others.push(fact);
  }
}

function noFacts(): FactsOfDay {
  return { disposals: disposalGroups(), washSales: washSaleGroups(), others: [] };
}

/**
 * Facts by the day that caused them, each day with a digest: a replay writes again only the days whose facts became
 * others, and reads none of those that stayed.
 */
export type Days = ReadonlyMap<Day, string>;

export function digestOf(facts: FactsOfDay): string {
  return hash('sha1', textOf(facts), 'base64').slice(0, digestLength);
}

function textOf({ disposals, washSales, others }: FactsOfDay): string {
  let text = '';
  // No text in the database has a zero in it.
  for (const fact of [...disposals.all, ...washSales.all, ...others])
    text += `${Object.values(fact).join('\u0000')}\u0000\u0000`;
  return text;
}

/** Sixty-six bits. */
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

/** Days whose facts are not what they were. */
export interface ChangedDays {
  /** Days that had other facts, or had some and have none. */
  readonly gone: readonly string[];
  readonly come: ReadonlySet<Day>;
}

export function compareDays(before: Days, after: Days): ChangedDays {
  const gone = [...before].filter(([day, digest]) => after.get(day) !== digest).map(([day]) => formatDay(day));
  const come = [...after].filter(([day, digest]) => before.get(day) !== digest).map(([day]) => day);
  return { gone, come: new Set(come) };
}
