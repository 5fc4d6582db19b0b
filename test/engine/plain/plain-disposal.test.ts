import { expect, test } from 'bun:test';
import { disposalWith, PlainDisposal } from '../../../src/engine/book/plain-disposal.ts';
import { formRows } from '../../../src/forms/lines.ts';
import { books, lineWords } from '../../support/ledger.ts';

const [plainFact] = books(`
  b1: buy 2024-01-02 3 ETH class crypto @1000
  s1: sell 2024-06-03 1 ETH class crypto @500
`).facts;
const [spent] = books(`
  b1: buy 2024-01-02 3 ETH class crypto @1000
  s1: spend 2024-06-03 1 ETH class crypto @500
`).facts;

function line(): PlainDisposal {
  if (!(plainFact instanceof PlainDisposal)) throw new Error('The sale does not have a plain disposal.');
  return plainFact;
}

test('the line of a plain sale returns the same values from its own members and from its getters', () => {
  const getters = Object.entries(Object.getOwnPropertyDescriptors(PlainDisposal.prototype)).flatMap(
    ([name, { get }]) => (get === undefined ? [] : [name]),
  );
  const members = line().toJSON();
  expect(Object.keys(members)).toEqual(expect.arrayContaining([...getters, 'saleId', 'lotId', 'on', 'acquired']));
  for (const [name, member] of Object.entries(members))
    expect([name, line()[name as keyof PlainDisposal]]).toEqual([name, member]);
});

test('it has the same members as the line of any other sale, in the same order', () => {
  expect(spent).not.toBeInstanceOf(PlainDisposal);
  expect(Object.keys(line().toJSON())).toEqual(Object.keys(spent ?? {}));
});

test('a copy of a line has all its members except the overridden ones', () => {
  expect(disposalWith(line(), { code: 'B', box: 'B' })).toEqual({ ...line().toJSON(), code: 'B', box: 'B' });
});

test('a form that reports a plain sale changes only its box', () => {
  const history = 'buy 2024-01-02 3 ETH class crypto @1000\n sell 2024-06-03 1 ETH class crypto @500';
  const [plain] = books(history).lines;
  const [boxed] = books(`${history}\n reported_sale 2024-06-03 1 ETH class crypto @500 box B`).lines;
  expect(plain?.disposal).toBeInstanceOf(PlainDisposal);
  const [form] = boxed?.disposal.formRows ?? [];
  expect(form).toStartWith('1 ');
  const changes = { box: 'B', boxReason: 'Form 1099 shows box B.', formRows: [form ?? ''] } as const;
  expect(boxed).toEqual({
    ...plain,
    disposal: disposalWith(plain?.disposal as PlainDisposal, changes),
  } as typeof boxed);
});

test('a form that reports other amounts of a plain sale without a box changes only its columns', () => {
  const { lines } = books(`
    buy 2024-01-02 3 ETH class crypto @1000
    sell 2024-06-03 1 ETH class crypto @500 fee 5
    reported_sale 2024-06-03 1 ETH class crypto @500
  `);
  expect(lines.map(lineWords)).toEqual(['2024-06-03 1 ETH: 500.00 - 333.33 E -5.00 = 161.67 short']);
});

test('plain sales from several lots make one form row with all members of the first', () => {
  const { lines } = books(`
    buy 2024-01-02 1 ETH class crypto @100
    buy 2024-01-02 2 ETH class crypto @200
    sell 2024-06-03 3 ETH class crypto @600
  `);
  expect(lines.map(({ disposal }) => disposal instanceof PlainDisposal)).toEqual([true, true]);
  const rows = formRows(lines, { merge: 'sale' });
  expect(rows.map(({ description, acquired, box }) => [description, acquired, box])).toEqual([
    ['3 ETH', '01/02/2024', 'C'],
  ]);
});
