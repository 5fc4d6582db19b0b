import { describe, expect, test } from 'bun:test';
import { formatQuantity, moneyDecimals, type Quantity, quantityDecimals } from '../../src/base/decimal.ts';
import { membersOfKind } from '../../src/engine/statement-members.ts';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';
import type { Draft, Format, Outcome, Row } from '../../src/formats/format.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { type FormatFixture, formatFixtures } from './format-fixtures.ts';
import { csvOf, fixtureRows, isNumber, isOfMoney, readHeader, wordsOf } from './money-cells.ts';
import { readWhole } from './reading.ts';
import { restatedMoney } from './restated-money.ts';

/**
 * Tests that the sum of each money column in a file equals the sum of the amounts read, rejected and skipped, to the
 * last digit. The rows are random: those in the fixture, with the money and the price of each line times a random
 * number, so that they remain consistent. Each stated amount must appear in the result: as its amount, fee or another
 * money member, or as their sum or difference. Redundant columns are in `fixtures/restated-money.tsv`.
 */

const seed = seedFor('sums of money');
let state = seed;

/** Returns a number from 2 to 97 (Lehmer). */
function factor(): bigint {
  state = Number((BigInt(state || 1) * 48_271n) % 2_147_483_647n);
  return BigInt(2 + (state % 96));
}

const rounds = draws(1, 3);

interface ColumnSums {
  stated: bigint;
  read: bigint;
  rejected: bigint;
  skipped: bigint;
  restated: bigint;
}

for (const fixture of formatFixtures) {
  describe(fixture.name, () => {
    test('states sums equal to those read, rejected and skipped', async () => {
      for (let round = 0; round < rounds; round++) {
        const sums = await readSums(fixture);
        const wrong = [...sums].flatMap(([column, { stated, ...parts }]) => {
          const heard = Object.values(parts).reduce((sum, part) => sum + part, 0n);
          return heard === stated
            ? []
            : [{ column, stated: formatQuantity(stated as Quantity), heard: formatQuantity(heard as Quantity) }];
        });
        expect({ seed, wrong }).toEqual({ seed, wrong: [] });
      }
    });
  });
}

async function readSums(fixture: FormatFixture): Promise<Map<string, ColumnSums>> {
  const rows = await fixtureRows(fixture);
  const headerAt = await readHeader(rows, fixture);
  const plain = (await readWhole(csvOf(rows))).outcomes;
  let scaled = scaledRows(rows, plain, headerAt);
  let { outcomes } = await readWhole(csvOf(scaled));
  // Lines that check their money against units, or against a column that is not named like money, are not changed.
  const read = new Set(linesRead(outcomes));
  const checked = new Set(linesRead(plain).filter((line) => !read.has(line)));
  if (checked.size > 0) {
    scaled = scaledRows(rows, plain, headerAt, checked);
    ({ outcomes } = await readWhole(csvOf(scaled)));
  }
  // Without this check, the sums would also match if no lines were read.
  expect(linesRead(outcomes)).toEqual(linesRead(plain));
  const sums = new Map<string, ColumnSums>();
  for (const outcome of outcomes) {
    const cells = outcome.lines.flatMap((line) => moneyCells(scaled, line, headerAt));
    const values = outcome.kind === 'read' ? valuesOf(outcome.drafts) : new Set<bigint>();
    for (const cell of cells) {
      const { column, value } = cell;
      if (value === 0n) continue;
      const own = sums.get(column) ?? { stated: 0n, read: 0n, rejected: 0n, skipped: 0n, restated: 0n };
      sums.set(column, own);
      own.stated += value;
      if (outcome.kind !== 'read') own[outcome.kind] += value;
      else if (sumsWith(fixture.format, cell, cells).some((sum) => values.has(sum))) own.read += value;
      else if (isRestated(fixture, column, outcome.drafts)) own.restated += value;
    }
  }
  return sums;
}

const moneyMembers = membersOfKind('money');
const quantityMembers = membersOfKind('quantity');

function linesRead(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap(({ kind, lines }) => (kind === 'read' ? lines : [])).sort((a, b) => a - b);
}

/** Several charges on a line may be one fee. */
const namesCharge = /\b(?:fees?|commissions?|comm|charges?|tax|duty|levy)\b/;

/** Sources whose units include the fee that is taken from them, and the decimals that they omit. */
const unitsWithFee: Readonly<Record<string, number>> = { 'kraken-ledgers': 0, bitmex: 8, hotbit: 0, handcash: 8 };
/** Sources with a row for each part of a side, whose units are the sum of these rows. */
const unitsInParts: ReadonlySet<string> = new Set(['gateio']);

/** Returns the possible values of a cell: the cell itself, a part of its row's fee, or its row's units with a fee. */
function sumsWith(format: Format, cell: Cell, cells: readonly Cell[]): bigint[] {
  const isCharge = ({ column }: Cell): boolean => namesCharge.test(wordsOf(column));
  const omitted = unitsWithFee[format.id];
  const isPart = (other: Cell): boolean => unitsInParts.has(format.id) && other.column === cell.column;
  const others = cells.filter(
    (other) => other !== cell && (omitted !== undefined || isPart(other) || (isCharge(cell) && isCharge(other))),
  );
  const sums = combined(others.map(({ value }) => value)).map((sum) => magnitude(sum + cell.value));
  return sums.flatMap((sum) => [sum, rounded(sum), sum / 10n ** BigInt(omitted ?? 0)]);
}

/** Rounds money with too many decimals. */
function rounded(value: bigint): bigint {
  const unit = 10n ** BigInt(quantityDecimals - moneyDecimals);
  return ((value + unit / 2n) / unit) * unit;
}

/** Returns the numbers in rows: each number in each row and in all rows together, and their sums and differences. */
function valuesOf(drafts: readonly Draft[]): Set<bigint> {
  const kinds = [moneyMembers, quantityMembers];
  const lists = kinds.flatMap((members) => {
    const each = drafts.map((draft) => members.map((member) => numberOf(draft, member)));
    const whole = members.map((member) => drafts.reduce((sum, draft) => sum + numberOf(draft, member), 0n));
    const unsigned = members.map((member) =>
      drafts.reduce((sum, draft) => sum + magnitude(numberOf(draft, member)), 0n),
    );
    return [...each, whole, unsigned];
  });
  return new Set(lists.flatMap((values) => combined(values.filter((value) => value !== 0n))).map(magnitude));
}

/** Returns zero, and the sums and differences of some of the values. */
function combined(values: readonly bigint[]): bigint[] {
  return values.reduce((sums, value) => sums.flatMap((sum) => [sum, sum + value, sum - value]), [0n]);
}

/** Returns a number with the decimals of a quantity. */
function numberOf(draft: Draft, member: (typeof moneyMembers)[number] | (typeof quantityMembers)[number]): bigint {
  const value = draft[member] ?? 0n;
  return quantityMembers.includes(member as never) ? value : value * 10n ** BigInt(quantityDecimals - moneyDecimals);
}

type HeaderAt = (line: number) => Row | undefined;

interface Cell {
  readonly column: string;
  readonly value: bigint;
}

function moneyCells(rows: readonly Row[], line: number, headerAt: HeaderAt): Cell[] {
  const cells = rows[line - 1]?.cells ?? [];
  return (headerAt(line)?.cells ?? []).flatMap((column, index) => {
    const text = cells[index]?.trim() ?? '';
    return isOfMoney(column) && !isPrice(column) && isNumber(text) ? [{ column, value: magnitudeOf(text) }] : [];
  });
}

const namesPrice = /\bprice\b|\bper (?:share|unit|coin)\b|\bkurs\b|\/share\b|\bspot\b/;

function isPrice(column: string): boolean {
  return namesPrice.test(wordsOf(column));
}

/** Multiplies all lines with the same outcome by one factor, because they belong together. Units are not changed. */
function scaledRows(
  rows: readonly Row[],
  outcomes: readonly Outcome[],
  headerAt: HeaderAt,
  asTheyAre: ReadonlySet<number> = new Set(),
): Row[] {
  const scaled = [...rows];
  for (const { lines, ...outcome } of outcomes) {
    const by = factor();
    if (lines.some((line) => asTheyAre.has(line))) continue;
    const units = new Set(
      outcome.kind === 'read'
        ? outcome.drafts.flatMap((draft) =>
            combined(quantityMembers.map((member) => draft[member] ?? 0n).filter((one) => one !== 0n)).map(magnitude),
          )
        : [],
    );
    for (const line of lines) {
      const row = scaled[line - 1];
      if (row === undefined) continue;
      const cells = row.cells.map((text, index) => {
        const column = headerAt(line)?.cells[index] ?? '';
        if (!(isPrice(column) || isOfMoney(column)) || !isNumber(text.trim())) return text;
        return !isPrice(column) && units.has(magnitudeOf(text)) ? text : times(text, by);
      });
      scaled[line - 1] = { ...row, cells };
    }
  }
  return scaled;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const numeral = /\d[\d.,]*/;

/** Returns the number in a cell as digits, and how many of them are after the decimal point. */
function digitsOf(text: string): { digits: bigint; decimals: number; point: string } {
  const found = (numeral.exec(text)?.[0] ?? '0').replace(/[.,]$/, '');
  const last = Math.max(found.lastIndexOf('.'), found.lastIndexOf(','));
  const isGroups = last !== -1 && /^\d{1,3}(?:,\d{3})+$/.test(found);
  const decimals = last === -1 || isGroups ? 0 : found.length - last - 1;
  return { digits: BigInt(found.replace(/[.,]/g, '')), decimals, point: last === -1 ? '.' : found.charAt(last) };
}

function magnitudeOf(text: string): bigint {
  const { digits, decimals } = digitsOf(text);
  return digits * 10n ** BigInt(quantityDecimals - decimals);
}

/** Returns the cell with its number multiplied, in the same notation. */
function times(text: string, by: bigint): string {
  const { digits, decimals, point } = digitsOf(text);
  const product = String(digits * by).padStart(decimals + 1, '0');
  const whole = product.slice(0, product.length - decimals);
  const written = decimals === 0 ? whole : `${whole}${point}${product.slice(product.length - decimals)}`;
  return text.replace(/\d[\d.,]*\d|\d/, written);
}

function isRestated({ name }: FormatFixture, column: string, drafts: readonly Draft[]): boolean {
  const types = drafts.map(({ type }) => type).join('+');
  return (restatedMoney.get(name) ?? []).some(
    (known) => known.column === normalizeHeader(column) && known.types.test(types),
  );
}
