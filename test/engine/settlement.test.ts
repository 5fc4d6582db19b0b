import { expect, test } from 'bun:test';
import { addDays, type Day, formatDay, parseDay } from '../../src/base/day.ts';
import { computeSettlementDay, isBusinessDay, isSettlementDay } from '../../src/engine/rules/lots/settlement.ts';
import { settlementOf as byTheLaw } from '../oracle/rules/lots/settlement.ts';
import { books } from '../support/ledger.ts';

test.each([
  ['2025-06-05', '2025-06-06', 'identified'],
  ['2025-06-05', '2025-06-07', 'late'],
  ['2018-06-06', '2018-06-08', 'identified'],
  ['2018-06-06', '2018-06-09', 'late'],
  ['2016-06-06', '2016-06-09', 'identified'],
  ['2016-06-06', '2016-06-10', 'late'],
  ['2025-07-03', '2025-07-07', 'identified'],
  ['2025-07-03', '2025-07-08', 'late'],
  ['2025-10-10', '2025-10-14', 'identified'],
  ['2025-10-10', '2025-10-15', 'late'],
  ['2025-10-13', '2025-10-14', 'identified'],
  ['2025-10-13', '2025-10-15', 'late'],
  ['2024-11-08', '2024-11-12', 'identified'],
  ['2024-11-08', '2024-11-13', 'late'],
] as const)('sold on %s, named on %s: %s (SEC rule 15c6-1 in effect at that time)', (sold, named, expected) => {
  const { lines } = books(`
    buy 2015-01-05 1 X @1
    b2: buy 2015-01-06 1 X @2
    sell ${sold} 1 X @3 lots b2:1 identified ${named}T12:00:00Z
  `);
  expect(lines.map(({ disposal }) => disposal.identified)).toEqual([expected]);
});

/** As published by the exchange. January 1, 2022 was a Saturday. */
const holidays: Readonly<Record<number, string>> = {
  2021: '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24',
  2022: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26',
  2023: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25',
  2024: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25',
  2026: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
};

test.each(Object.entries(holidays))('the exchanges are closed on these weekdays of %s', (year, expected) => {
  const closed: string[] = [];
  const last = parseDay(`${year}-12-31`) as Day;
  for (let day = parseDay(`${year}-01-01`) as Day; day <= last; day = addDays(day, 1)) {
    const isWeekend = [2, 3].includes(((day % 7) + 7) % 7);
    if (!isWeekend && !isBusinessDay(day)) closed.push(formatDay(day).slice(5));
  }
  expect(closed.join(' ')).toBe(expected);
});

/** Veterans Day was on a Saturday in 2023 and on a Sunday in 2018 and 2029. */
const bankHolidays: Readonly<Record<number, string>> = {
  2018: '10-08 11-12',
  2019: '10-14 11-11',
  2020: '10-12 11-11',
  2021: '10-11 11-11',
  2022: '10-10 11-11',
  2023: '10-09',
  2024: '10-14 11-11',
  2025: '10-13 11-11',
  2026: '10-12 11-11',
  2027: '10-11 11-11',
  2029: '10-08 11-12',
};

test.each(Object.entries(bankHolidays))(
  'the exchanges trade on these days of %s, but nothing settles',
  (year, expected) => {
    const unsettled: string[] = [];
    const last = parseDay(`${year}-12-31`) as Day;
    for (let day = parseDay(`${year}-01-01`) as Day; day <= last; day = addDays(day, 1)) {
      if (isBusinessDay(day) && !isSettlementDay(day)) unsettled.push(formatDay(day).slice(5));
    }
    expect(unsettled.join(' ')).toBe(expected);
  },
);

test('every trade from 1986 to 2099 settles on the same day as in the oracle', () => {
  const last = parseDay('2099-12-31') as Day;
  for (let day = parseDay('1986-01-01') as Day; day <= last; day = addDays(day, 1)) {
    expect(`${formatDay(day)} ${formatDay(computeSettlementDay(day))}`).toBe(
      `${formatDay(day)} ${formatDay(byTheLaw(day))}`,
    );
  }
});
