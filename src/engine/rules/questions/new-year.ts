import { addDays, type Day, dayIn, formatDay, type Instant, yearOf } from '../../../base/day.ts';
import { type Cents, roundToCents } from '../../../base/decimal.ts';
import type { Fold } from '../../book/fold.ts';
import { rowsToday } from '../../book/rows-today.ts';
import { isTaxed, type TaxedFact, transactionOf } from './taxed-facts.ts';

/**
 * Rows whose tax year depends on the time zone in which their day is read, where nobody has stated one: UTC is no more than
 * a default. Zones are from 12 hours behind UTC to 14 hours ahead of it.
 */
export function isNearNewYear(at: Instant): boolean {
  return yearOf(dayIn((at - behind) as Instant, 'UTC')) !== yearOf(dayIn((at + ahead) as Instant, 'UTC'));
}

const hour = 3_600_000_000;
const behind = 12 * hour;
const ahead = 14 * hour;

/** At the end of a day: once an account and asset. */
export function askForZone(fold: Fold): void {
  const { rules, day } = fold;
  if (rules.timeZone !== undefined || !isNewYearDay(day)) return;
  const near = new Map<string, TaxedFact[]>();
  for (const fact of fold.facts.slice(fold.dayStart)) {
    if (!isTaxed(fact)) continue;
    const row = rowsToday(fold).get(transactionOf(fact));
    if (row?.at == null || row.zoned === true || !isNearNewYear(row.at)) continue;
    const name = `${fact.account} ${fact.asset}`;
    near.set(name, [...(near.get(name) ?? []), fact]);
  }
  for (const facts of near.values()) raiseZone(fold, facts);
}

/** Whether a replay may ask: it then needs each line of its years. */
export function mayAskForZone({ rules, ledger }: Fold): boolean {
  if (rules.timeZone !== undefined || ledger === null) return false;
  if (ledger.others.some(({ at, on }) => at !== null && isNewYearDay(on))) return true;
  return ledger.ats.some((at, trade) => !Number.isNaN(at) && isNewYearDay(ledger.ons[trade] as Day));
}

function isNewYearDay(day: Day): boolean {
  return yearOf(addDays(day, -1)) !== yearOf(addDays(day, 1));
}

function raiseZone(fold: Fold, facts: readonly TaxedFact[]): void {
  const ids = [...new Set(facts.map(transactionOf))].sort();
  const [first] = facts;
  if (first === undefined) return;
  const { account, asset } = first;
  const dollars = facts.reduce((sum, fact) => sum + magnitude(centsOf(fact)), 0n) as Cents;
  const year = yearOf(fold.day);
  const other = yearOf(addDays(fold.day, -1)) === year ? year + 1 : year - 1;
  fold.facts.push({
    kind: 'issue',
    causedOn: fold.day,
    id: `${ids[0]}/0/tax_year_by_zone/${account}/${asset}`,
    issue: 'tax_year_by_zone',
    on: first.on,
    asset,
    account,
    transactions: ids,
    dollars,
    detail:
      `${asset === '' ? 'Cash' : asset} in ${account} on ${formatDay(fold.day)} is taxed in ${year} where its time is read in UTC, and in another time zone in ${other}. ` +
      'State the time zone of the taxpayer, or of the import (Etc/UTC if it is that).',
  });
}

function centsOf(fact: TaxedFact): bigint {
  if (fact.kind === 'disposal') return fact.proceeds - fact.basis + fact.adjustment;
  return fact.kind === 'income' ? roundToCents(fact.amount) : fact.gain;
}

function magnitude(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}
