import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatQuantity, type Quantity } from '../../../src/base/decimal.ts';
import { detectAmong } from '../../../src/formats/detect.ts';
import type { Row } from '../../../src/formats/format.ts';
import { formatById, formats } from '../../../src/formats/index.ts';
import { readRows } from '../../../src/formats/rows/rows.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { readWhole, streamOf } from '../reading.ts';
import { expected } from './expected.ts';
import { expectedOfBrokers } from './expected-brokers.ts';
import { expectedOfEurope } from './expected-europe.ts';
import { expectedOfExchanges } from './expected-exchanges.ts';
import { expectedMore } from './expected-more.ts';
import { expectedOfTheRest } from './expected-rest.ts';
import { expectedOfTables } from './expected-tables.ts';
import { expectedOfTrackers } from './expected-trackers.ts';

/** Real exports, kept outside this project. */
const shared = process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../../shared');
const folder = join(shared, 'formats');
const known = {
  ...expected,
  ...expectedMore,
  ...expectedOfBrokers,
  ...expectedOfEurope,
  ...expectedOfTables,
  ...expectedOfExchanges,
  ...expectedOfTrackers,
  ...expectedOfTheRest,
};

/** Files with their own tests, because they are too long to list line by line. */
const counted = [
  'binance/statement_all.csv',
  'schwab/reinvest_2023_mixed_quoting.csv',
  'cryptocom/app_2025_txhash.csv',
];

if (!existsSync(folder)) {
  console.log(`The given exports are not at ${folder}: they are not tested here.`);
} else {
  for (const [file, { format, skipped, lines }] of Object.entries(known)) {
    test(`${file} has its expected contents`, async () => {
      const reading = await readWhole(readFileSync(join(folder, file)));
      expect(reading.format).toBe(format);
      expect(outcomeLines(reading, formatById(format)?.source ?? '')).toEqual([...lines]);
      expect(reading.end.skipped).toBe(skipped);
      expect(reading.end.read + reading.end.skipped + reading.end.rejected).toBe(reading.end.rows);
    });
  }

  test('schwab/reinvest_2023_mixed_quoting.csv: each reinvestment is a dividend and a purchase', async () => {
    const { drafts, end, outcomes } = await readWhole(
      readFileSync(join(folder, 'schwab/reinvest_2023_mixed_quoting.csv')),
    );
    const counts = Object.groupBy(drafts, ({ type }) => type);
    expect(Object.fromEntries(Object.entries(counts).map(([type, of]) => [type, of?.length]))).toEqual({
      buy: 41,
      dividend: 42,
      interest: 5,
      sell: 2,
      split: 3,
      withdrawal: 1,
      withholding: 1,
      capital_gain_distribution: 1,
    });
    expect({ rows: end.rows, skipped: end.skipped, rejected: end.rejected, descending: end.descending }).toEqual({
      rows: 120,
      skipped: 15,
      rejected: 8,
      descending: true,
    });
    const spy = drafts.filter(({ asset, type }) => asset === 'SPY' && type === 'buy');
    const shares = spy.reduce((total, { quantity }) => total + (quantity ?? 0n), 0n) as Quantity;
    expect(formatQuantity(shares)).toBe('7.0976');
    const rejected = outcomes.filter(({ kind }) => kind === 'rejected').flatMap(({ lines }) => [...lines]);
    expect(rejected.sort((a, b) => a - b)).toEqual([113, 114, 115, 116, 117, 118, 119, 120]);
  });

  test('a year of Crypto.com rewards is read completely', async () => {
    const { end } = await readWhole(readFileSync(join(folder, 'cryptocom/app_2025_txhash.csv')));
    expect({ rows: end.rows, skipped: end.skipped, rejected: end.rejected }).toEqual({
      rows: 65,
      skipped: 3,
      rejected: 0,
    });
  });

  test('a Binance statement: fills in the same second are one trade, and unclear fills are rejected', async () => {
    const { drafts, end } = await readWhole(readFileSync(join(folder, 'binance/statement_all.csv')));
    expect({ rows: end.rows, skipped: end.skipped, rejected: end.rejected }).toEqual({
      rows: 230,
      skipped: 17,
      rejected: 16,
    });
    const filled = drafts.filter(({ receivedAsset }) => receivedAsset === 'HIGH');
    expect(filled.map(({ receivedQuantity }) => formatQuantity(receivedQuantity ?? (0n as Quantity)))).toEqual([
      '2011.678',
    ]);
    const [dust] = drafts.filter(({ asset }) => asset === 'SOL');
    expect(formatQuantity(dust?.quantity ?? (0n as Quantity))).toBe('0.002200335');
  });

  test('every line in every given export is read, skipped or rejected, with its reason', async () => {
    const files = givenFiles();
    expect(files.length).toBe(114);
    expect(files.filter((file) => !(file in known || counted.includes(file)))).toEqual([]);
    for (const file of files) {
      const { outcomes, end } = await readWhole(readFileSync(join(folder, file)));
      const lines = outcomes.flatMap((outcome) => [...outcome.lines]);
      expect({ file, lines: lines.length, different: new Set(lines).size }).toEqual({
        file,
        lines: end.rows,
        different: end.rows,
      });
      for (const outcome of outcomes) {
        if (outcome.kind === 'read') expect(outcome.drafts.length).toBeGreaterThan(0);
        if (outcome.kind === 'skipped') expect(outcome.reason).not.toBe('');
        if (outcome.kind === 'rejected') expect(outcome.issue.reason).not.toBe('');
      }
    }
  });

  test('at least one file from each source is checked line by line', () => {
    const sources = new Set(givenFiles().map((file) => file.split('/')[0]));
    expect(sources.size).toBe(72);
    for (const file of Object.keys(known)) sources.delete(file.split('/')[0]);
    expect([...sources]).toEqual([]);
  });

  test('no other format would accept a given export if its own format did not exist', async () => {
    for (const [file, { format }] of Object.entries(known)) {
      const rows: Row[] = [];
      for await (const batch of readRows(streamOf(readFileSync(join(folder, file))))) rows.push(...batch);
      const detection = detectAmong(
        formats.filter(({ id }) => id !== format),
        rows,
      );
      expect({ file, taken: 'format' in detection || detection.rivals.length > 0 }).toEqual({ file, taken: false });
    }
  });
}

function givenFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .flatMap((source) => readdirSync(join(folder, source)).map((name) => `${source}/${name}`));
}
