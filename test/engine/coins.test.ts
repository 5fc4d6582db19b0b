import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { books, lineWords, lotWords, stakeText } from '../support/ledger.ts';

const universal = { digitalAssetScopeBefore2025: 'universal' } as const;

describe("a transfer between the taxpayer's wallets", () => {
  test('keeps its date and basis, and FIFO uses the purchase date, not the arrival', () => {
    const { lines } = books(`
      buy 2025-08-01 10 BTC @90 in A
      buy 2026-01-01 20 BTC @100 in B
      transfer 2026-08-01 10 BTC in A to B
      sell 2026-09-01 10 BTC @100 in B
    `);
    expect(lines.map(lineWords)).toEqual(['2026-09-01 10 BTC: 100.00 - 90.00 = 10.00 long']);
  });

  test('moves the named lots, or else the oldest ones', () => {
    const { lots } = books(`
      b1: buy 2025-01-01 1 BTC @10 in A
      b2: buy 2025-02-01 1 BTC @20 in A
      b3: buy 2025-03-01 1 BTC @30 in A
      transfer 2025-04-01 1 BTC in A to B lots b3:1
      transfer 2025-04-02 1 BTC in A to B
    `);
    expect(lots.map(lotWords).sort()).toEqual([
      '1 BTC in A 2025-02-01 20.00',
      '1 BTC in B 2025-01-01 10.00',
      '1 BTC in B 2025-03-01 30.00',
    ]);
  });

  test('has a small disposal of the units that pay a network fee', () => {
    const { lines, lots } = books(`
      buy 2024-02-05 1.0005 BTC @40020 in EX
      transfer 2025-04-07 1 BTC in EX to HW feeasset BTC feequantity 0.0005 fee 40
    `);
    expect(lines.map(lineWords)).toEqual(['2025-04-07 0.0005 BTC: 40.00 - 20.00 = 20.00 long']);
    expect(lots.map(lotWords)).toEqual(['1 BTC in HW 2024-02-05 40000.00']);
  });

  test('arrives with the missing part flagged if it exceeds the holding', () => {
    const { lots, issues, lines } = books(`
      buy 2025-01-02 1 BTC @10 in A
      transfer 2025-02-01 3 BTC in A to B
      sell 2025-03-01 3 BTC @300 in B
    `);
    expect(lots).toEqual([]);
    expect(lines.map(({ disposal }) => disposal.basisUnknown)).toEqual([false, true]);
    expect(issues.map(({ issue }) => issue)).toEqual(['oversold', 'basis_missing']);
  });
});

describe('the two sides of a transfer, each reported by its own exchange', () => {
  test('are matched by quantity within a week', () => {
    const { lots, issues } = books(`
      buy 2025-01-02 1 BTC @10 in A
      withdrawal 2025-02-01T10:00:00Z 1 BTC in A
      deposit 2025-02-01T10:40:00Z 1 BTC in B
    `);
    expect(lots.map(lotWords)).toEqual(['1 BTC in B 2025-01-02 10.00']);
    expect(issues).toEqual([]);
  });

  test('are matched after subtracting the fee if the quantity includes it', () => {
    const { lots, issues, lines } = books(`
      buy 2025-01-02 2 BTC @20 in A
      withdrawal 2025-02-01 1 BTC in A feeasset BTC feequantity 0.1 fee 1.50
      deposit 2025-02-02 0.9 BTC in B
    `);
    expect(lots.map(lotWords).sort()).toEqual([
      '0.1 BTC in A 2025-01-02 1.00',
      '0.9 BTC in A 2025-01-02 9.00',
      '0.9 BTC in B 2025-01-02 9.00',
    ]);
    expect(lines.map(lineWords)).toEqual(['2025-02-01 0.1 BTC: 1.50 - 1.00 = 0.50 short']);
    expect(issues).toEqual([]);
  });

  test('are matched within one day, regardless of the order of their clocks', () => {
    const { lots, issues } = books(`
      buy 2025-01-02 1 BTC @10 in A
      deposit 2025-02-01T10:00:00Z 1 BTC in B
      withdrawal 2025-02-01 1 BTC in A
    `);
    expect(lots.map(lotWords)).toEqual(['1 BTC in B 2025-01-02 10.00']);
    expect(issues).toEqual([]);
  });

  test('a withdrawal without a deposit is still owned, and raises an issue', () => {
    const { lots, issues, lines } = books(`
      buy 2025-01-02 1 BTC @10 in A
      withdrawal 2025-02-01 1 BTC in A
      buy 2025-06-02 1 BTC @30 in A
    `);
    expect(lots.map(lotWords)).toEqual(['1 BTC in A 2025-06-02 30.00', '1 BTC in IN TRANSIT 2025-01-02 10.00']);
    expect(issues.map(({ issue, transactions }) => [issue, transactions])).toEqual([['transfer_unpaired', ['t0002']]]);
    expect(lines).toEqual([]);
  });

  test('a deposit without a withdrawal is not income, and its basis is missing when it is sold', () => {
    const { incomes, issues, lines } = books(`
      deposit 2025-02-01 1 BTC in B
      sell 2025-06-02 1 BTC @100 in B
    `);
    expect(incomes).toEqual([]);
    expect(lines.map(({ disposal }) => disposal.basisUnknown)).toEqual([true]);
    expect(issues.map(({ issue }) => issue)).toEqual(['transfer_unpaired', 'basis_missing']);
  });

  test('dollars move without any effect', () => {
    const { facts, lots } = books(`
      deposit 2025-02-01 100 USD
      withdrawal 2025-02-02 100 USD
    `);
    expect([facts, lots]).toEqual([[], []]);
  });
});

describe('the universal pool before 2025', () => {
  const bought = `
    buy 2023-01-10 1 BTC @17000 in WA
    buy 2024-01-10 1 BTC @46000 in WB
  `;

  test('is an election: without it, each wallet has its own lots', () => {
    const { lines } = books(`${bought}
      sell 2024-11-04 1 BTC @68000 in WB`);
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([4600000n] as never);
  });

  test('sells its oldest lot, regardless of which wallet sells', () => {
    const { lines, lots } = books(
      `${bought}
      sell 2024-11-04 1 BTC @68000 in WB`,
      universal,
    );
    expect(lines.map(({ disposal }) => [disposal.account, disposal.basis])).toEqual([['WB', 1700000n]] as never);
    expect(lots.map(({ account }) => account)).toEqual(['UNIVERSAL']);
  });

  test('is used last from 2025 on, and an issue asks to allocate it', () => {
    const { lines, issues } = books(
      `${bought}
      buy 2025-02-03 1 BTC @90000 in WB
      sell 2025-03-03 2 BTC @200000 in WB`,
      universal,
    );
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([1700000n, 9000000n] as never);
    expect(issues.map(({ issue }) => issue)).toEqual(['unreconciled']);
  });

  test('raises an issue to allocate it whenever units leave a wallet, with the basis at stake, until it is empty', () => {
    const history = (upTo: string) => `
      buy 2023-01-02 1 BTC @20000 in W
      buy 2025-02-01 1 BTC @90000 in W
      buy 2025-02-01 1 BTC @91000 in IRA
      sell 2025-03-01 0.5 BTC @47500 in W
      sell 2025-03-01 0.5 BTC @47500 in IRA
      ${upTo}`;
    const rules = { ...universal, accounts: { IRA: { type: 'ira' } } } as const;
    const asked = (upTo = '') =>
      books(history(upTo), rules).issues.map(({ issue, account, dollars, on }) => [
        issue,
        account,
        `${formatDay(on)} $${stakeText(dollars)}`,
      ]);
    expect(asked()).toEqual([['unreconciled', 'W', '2025-03-01 $10000.00']]);
    expect(asked('transfer 2025-04-01 2 BTC in W to X')).toEqual([
      ['unreconciled', 'W', '2025-03-01 $10000.00'],
      ['unreconciled', 'W', '2025-04-01 $20000.00'],
      ['oversold', 'W', '2025-04-01 $unknown'],
    ]);
    expect(asked('transfer 2025-01-01 1 BTC in UNIVERSAL to W')).toEqual([]);
  });

  test('contains only coins: tokenized shares are kept by account, and coins in an IRA are excluded', () => {
    const { lots } = books(
      `
      buy 2023-01-10 1 TKN @17 in WA class tokenized_security
      buy 2023-01-10 1 BTC @17 in IRA
    `,
      { ...universal, accounts: { IRA: { type: 'ira' } } },
    );
    expect(lots.map(({ account }) => account)).toEqual(['WA', 'IRA']);
  });
});

describe('swaps and fees', () => {
  test('a fee in a third coin disposes of that coin, and its own cost reduces the proceeds', () => {
    const { lines } = books(`
      buy 2025-02-03 10 SOL @5
      buy 2025-02-03 3 BNB @1.50
      trade 2025-06-02 10 SOL @20 fee 3 for ETH received 20 feeasset BNB feequantity 3 feeown 1
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 3 BNB: 2.00 - 1.50 = 0.50 short',
      '2025-06-02 10 SOL: 18.00 - 5.00 = 13.00 short',
    ]);
  });

  test('the cost of a coin that pays the fee of a purchase is added to its basis', () => {
    const { lines, lots } = books(`
      buy 2025-02-03 3 BNB @1.50
      buy 2025-06-02 1 ETH @100 fee 2 feeasset BNB feequantity 1
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 1 BNB: 2.00 - 0.50 = 1.50 short']);
    expect(lots.map(lotWords)).toEqual(['2 BNB in BRK1 2025-02-03 1.00', '1 ETH in BRK1 2025-06-02 102.00']);
  });

  test('dollars traded for a coin are a purchase', () => {
    expect(books('trade 2025-06-02 102 USD @100 fee 2 for ETH received 1').lots.map(lotWords)).toEqual([
      '1 ETH in BRK1 2025-06-02 102.00',
    ]);
  });

  test('a fee on income is added to the basis of the received units', () => {
    const { lots, incomes } = books('staking 2025-06-02 1 ETH @100 fee 2');
    expect(incomes.map(({ amount }) => amount)).toEqual([10000000000n] as never);
    expect(lots.map(({ basis }) => basis)).toEqual([10200n] as never);
  });

  test('a coin and a stock with the same name are two assets', () => {
    const { lots } = books(`
      buy 2025-06-02 1 ATOM @100 class crypto
      buy 2025-06-02 1 ATOM @200 class stock
      sell 2025-07-02 1 ATOM @300 class stock
    `);
    expect(lots.map(({ assetClass }) => assetClass)).toEqual(['crypto']);
  });
});
