import { describe, expect, test } from 'bun:test';
import { proposalOf } from '../support/proposed.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

async function readLines(text: string): Promise<string[]> {
  return outcomeLines(await readWhole(text, { mapping: proposalOf(text) ?? { columns: {} } }), 'A');
}

describe('a proposed mapping of a file with bonds', () => {
  test('recognizes assets that mature as bonds, and leaves the other rows unchanged', async () => {
    const text =
      'Date,Type,Security Name,Maturity,Quantity,Amount\n' +
      '2022-05-10,Buy,River Power,05/10/2029,15000,14100.00\n' +
      '2024-05-13,Sell,River Power,05/10/2029,15000,14550.00\n' +
      '2024-05-14,Buy,Acme Inc,,20,1000.00\n';
    const lines = await readLines(text);
    expect(lines.map((line) => `${/maturity=\S+/.exec(line)} ${/asset_class=\S+/.exec(line)}`)).toEqual([
      'maturity=2029-05-10 asset_class=bond',
      'maturity=2029-05-10 asset_class=bond',
      'null null',
    ]);
  });

  test('asks whether an amount includes the separate accrued interest', () => {
    const text =
      'Trade Date,Side,Security,Maturity Date,Quantity,Principal,Accrued Interest\n' +
      '2022-05-10,Buy,River Power,2029-05-10,15000,14100.00,88.20\n';
    expect(Object.keys(proposalOf(text)?.undecided ?? {})).toContain('Accrued Interest');
    expect(Object.keys(proposalOf(text.replace('88.20', '0.00'))?.undecided ?? {})).not.toContain('Accrued Interest');
  });

  test('still uses the maturity of an option as its expiration', async () => {
    const text =
      'Trade Date,Side,Underlying,Maturity,Strike,Call/Put,Contracts,Amount\n' +
      '2023-03-15,Buy,RVR,2024-01-19,150,Call,2,1000.00\n';
    expect((await readLines(text))[0]).toContain('RVR 2024-01-19 C 150');
  });

  test('uses a CUSIP as the name if no other column names the asset, and recognizes a bond by it', async () => {
    const text =
      'Trade Date,Action,CUSIP,Quantity,Amount\n' +
      '2023-01-10,Buy,345370CR9,10000,9600.00\n' +
      '2023-01-10,Buy,000361105,10,960.00\n';
    expect(
      (await readLines(text)).map((line) =>
        line
          .split(' ')
          .filter((_, at) => at !== 3)
          .slice(1, 4)
          .join(' '),
      ),
    ).toEqual(['2023-01-10 buy 345370CR9', '2023-01-10 buy 000361105']);
  });

  test('prefers the ticker to the CUSIP', async () => {
    const text = 'Trade Date,Action,CUSIP,Ticker,Quantity,Amount\n2023-01-10,Buy,000361105,AIR,10,960.00\n';
    expect((await readLines(text))[0]).toContain(' AIR ');
  });
});
