import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, type Day, formatDay, parseDay } from '../../src/base/day.ts';
import type { Quantity } from '../../src/base/decimal.ts';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import type { BalanceAfter } from '../../src/formats/format.ts';
import { RunningBalances } from '../../src/formats/running-balances.ts';
import { jsonReport } from '../../src/forms/exports/json.ts';
import { dataFolder } from '../support/process.ts';

/**
 * A ledger reports a balance after each of a large number of rows. Only some of the balances are stored, and a missing
 * row is still found on the first stored day after it.
 */
const folder = dataFolder();
afterAll(() => folder.remove());

interface FoundIssue {
  readonly on: string;
  readonly asset: string;
  readonly detail: string;
  readonly transactions: string[];
}

/** Buys a thousandth of a coin on each day except the missing ones. */
function statementOf(days: readonly Day[], missing: readonly string[]): string {
  const rows = days.flatMap((day, at) => {
    const trade = `BTC${at}`;
    const time = `${formatDay(day)}T10:00:00.000Z`;
    const held = ((at + 1) / 1000).toFixed(3);
    return [
      `default,match,${time},-10,1000000,USD,,${trade},o`,
      `default,match,${time},0.001,${held},BTC,,${trade},o`,
    ].map((line) => ({ line, trade }));
  });
  const kept = rows.filter(({ trade }) => !missing.includes(trade));
  const header = 'portfolio,type,time,amount,balance,amount/balance unit,transfer id,trade id,order id';
  return `${[header, ...kept.map(({ line }) => line)].join('\n')}\n`;
}

function daysFrom(first: string, count: number): Day[] {
  const start = parseDay(first) as Day;
  return Array.from({ length: count }, (_, at) => addDays(start, at));
}

async function readDifferences(csv: string, years: readonly string[]): Promise<FoundIssue[]> {
  const path = join(folder.path, 'statement.csv');
  writeFileSync(path, csv);
  const found: FoundIssue[] = [];
  for (const year of years) {
    const order = readReportRequest([path, '--year', year, '--format', 'json']);
    const books = await readBooks(order, new Messages());
    const parts = await Array.fromAsync(jsonReport.render(books), (part) => new TextDecoder().decode(part));
    const { issues } = JSON.parse(parts.join('')) as { issues: (FoundIssue & { kind: string })[] };
    found.push(...issues.filter(({ kind }) => kind === 'balance_differs'));
  }
  return found;
}

const agreedOn = (day: string, { detail }: FoundIssue): boolean => detail.includes(`They agreed on ${day}.`);

describe('a missing row in a ledger', () => {
  test('is found on the next day if there are balances for at most 400 days', async () => {
    const [days, years] = [daysFrom('2024-01-01', 400), ['2024', '2025']];
    expect(await readDifferences(statementOf(days, []), years)).toEqual([]);
    const [found, ...others] = await readDifferences(statementOf(days, ['BTC100']), years);
    expect([found?.on, others.length]).toEqual(['2024-04-11', 0]);
    expect(found !== undefined && agreedOn('2024-04-09', found)).toBe(true);
  });

  test('is found once, at the end of its month, if there are balances for more days', async () => {
    const [days, years] = [daysFrom('2024-01-01', 402), ['2024', '2025']];
    expect(await readDifferences(statementOf(days, []), years)).toEqual([]);
    const [found, ...others] = await readDifferences(statementOf(days, ['BTC100']), years);
    expect([found?.on, others.length]).toEqual(['2024-04-30', 0]);
    expect(found !== undefined && agreedOn('2024-03-31', found)).toBe(true);
    expect(found?.transactions).toHaveLength(4);
  });

  test('is found at the end of its year if there are balances for more than 400 months', async () => {
    const days = Array.from({ length: 420 }, (_, at) => parseDay(monthOf(at)) as Day);
    const years = ['1987', '1988', '1989', '2014'];
    expect(await readDifferences(statementOf(days, []), years)).toEqual([]);
    const [found, ...others] = await readDifferences(statementOf(days, ['BTC100']), years);
    expect([found?.on, others.length]).toEqual(['1988-12-15', 0]);
    expect(found !== undefined && agreedOn('1987-12-15', found)).toBe(true);
  });

  test('is found even if the file has so many coins and days that balances are dropped during the read', () => {
    const coins = Array.from({ length: 60 }, (_, at) => `C${at}X`);
    const after: BalanceAfter[] = daysFrom('2024-01-01', 350).flatMap((on, at) =>
      coins.map((asset) => ({
        ...{ on, at: null, asset, part: '', change: unit, decimals: 18 },
        balance: (BigInt(at + 1) * unit) as Quantity,
      })),
    );
    const balances = new RunningBalances(({ line }) => after[line] ?? null);
    for (const line of after.keys()) balances.take({ line, cells: [] });
    const kept = balances.end('Coinbase Pro');
    expect(kept.map(({ asset }) => asset)).toEqual(coins);
    expect(new Set(kept.map(({ day, quantity, isLeast }) => `${day} ${quantity} ${isLeast}`))).toEqual(
      new Set([`2024-12-15 350.${'0'.repeat(18)} false`]),
    );
  });
});

const unit = (10n ** 18n) as Quantity;

function monthOf(at: number): string {
  return `${1980 + Math.floor(at / 12)}-${String(1 + (at % 12)).padStart(2, '0')}-15`;
}
