import { describe, expect, test } from 'bun:test';
import type { Day } from '../../src/base/day.ts';
import { parseDay } from '../../src/base/day.ts';
import {
  findNamePairs,
  type NamedYear,
  parseNamesFromIssueId,
  sameSecurityIssues,
} from '../../src/engine/rules/questions/same-security.ts';

const isin = 'US0378331005';
const cusip = '037833100';

/** Returns the pairs found in books. `AAPL=1` means that the key of the security AAPL is in book 1. */
function pairsOf(books: string, numbers: readonly (readonly [string, string])[] = [], assets = {}): string[] {
  const named = new Map(books.split(' ').map((word) => word.split('=') as [string, string]));
  return findNamePairs({
    books: new Map([...named].map(([name, book]) => [name.includes(':') ? name : `security:${name}`, book])),
    numbers: numbers.map(([asset, number]) => ({ asset, number })),
    assets,
  }).map(({ name, sameAs }) => `${name} is ${sameAs}`);
}

describe('two names with one number', () => {
  test('are a CUSIP and the ISIN that contains it, even if no file states both', () => {
    expect(pairsOf(`${isin}=1 ${cusip}=2`)).toEqual([`${isin} is ${cusip}`]);
    expect(pairsOf('02079K305=1 02079K107=2')).toEqual([]);
  });

  test('are a number and the ticker that a file pairs with it, and the ticker is kept', () => {
    expect(pairsOf(`${isin}=1 AAPL=2`)).toEqual([]);
    expect(pairsOf(`${isin}=1 AAPL=2`, [['AAPL', cusip]])).toEqual([`${isin} is AAPL`]);
    expect(
      pairsOf('AAPL=1 AAPL.US=2', [
        ['AAPL', isin],
        ['AAPL.US', cusip],
      ]),
    ).toEqual(['AAPL.US is AAPL']);
  });

  test('raise no issue if one has no rows, or if they are coins, in one book or joined by the settings', () => {
    const numbers = [['AAPL', isin]] as const;
    expect(pairsOf(`${isin}=1`, numbers)).toEqual([]);
    expect(pairsOf(`coin:${isin}=1 AAPL=2`, numbers)).toEqual([]);
    expect(pairsOf(`${isin}=1 AAPL=1`, numbers)).toEqual([]);
    expect(pairsOf(`AAPL=1 ACORP=2`, [['ACORP', isin], ...numbers], { ACORP: { sameAs: 'AAPL' } })).toEqual([]);
  });
});

function lineOf(asset: string, account: string, on: string, losses: bigint, gains: bigint): NamedYear {
  return { asset, account, on: parseDay(on) as Day, sale: `${asset} ${on}`, losses, gains };
}

test("put each year's losses at stake, and the gains of an account with lines under both names", () => {
  const pair = { name: isin, sameAs: 'AAPL', number: `cusip ${cusip}` };
  const issues = sameSecurityIssues(
    [pair],
    [
      lineOf(isin, 'A', '2023-03-01', 0n, 700n),
      lineOf(isin, 'A', '2024-06-03', 500n, 100n),
      lineOf('AAPL', 'B', '2024-02-01', 40n, 900n),
      lineOf(isin, 'A', '2025-03-01', 0n, 10n),
      lineOf('AAPL', 'A', '2025-04-01', 0n, 20n),
      lineOf('MSFT', 'A', '2024-01-05', 999n, 0n),
    ],
  );
  expect(issues.map(({ transactions, dollars }) => [transactions[0], dollars])).toEqual([
    ['AAPL 2024-02-01', 540n],
    [`${isin} 2025-03-01`, 30n],
  ] as never);
  expect(issues.map(({ id }) => parseNamesFromIssueId(id))).toEqual(Array(2).fill({ name: isin, sameAs: 'AAPL' }));
});
