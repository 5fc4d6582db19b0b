import { expect, test } from 'bun:test';
import { books, lineWords } from '../support/ledger.ts';

test('what a loss writes beside an earlier sale stands in the box that a form has told of that sale', () => {
  const { lines } = books(
    `
    buy 2023-12-01 10 X @100
    sell 2023-12-04 10 X @110
    buy 2023-12-04 10 X @200
    reported_sale 2023-12-04 10 X @110 box B
    sell 2023-12-05 10 X @150
  `,
    { washSoldBefore: 'include' },
  );
  expect(lines.map(lineWords)).toEqual([
    '2023-12-04 10 X: 110.00 - 100.00 = 10.00 short',
    '2023-12-04 0 X: 0.00 - 50.00 = -50.00 short',
    '2023-12-05 10 X: 150.00 - 200.00 W 50.00 = 0.00 short',
  ]);
  expect(lines.map(({ disposal }) => disposal.box)).toEqual(['B', 'B', 'C']);
});

test('a sale that only a form tells, without its proceeds, is asked about once', () => {
  const { issues } = books(`
    buy 2023-12-01 10 X @100
    reported_sale 2023-12-04 10 X box B
  `);
  expect(issues.map(({ issue }) => issue)).toEqual(['value_missing']);
});
