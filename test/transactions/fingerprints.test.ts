import { expect, test } from 'bun:test';
import { noTaxpayersKey, RowIds } from '../../src/features/ledger/transactions/rows.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { statements } from './statements.ts';

/**
 * Fingerprints, and the ids under a key of zeros. Both identify the rows in stored books: if one changed, every row in
 * a repeated file would be new.
 */
const known: Record<string, readonly [fingerprint: string, first: string, second: string]> = {
  trade: [
    'd3e3f1d29f1e76d3ef18180ae4d7384055041faf5b0d39e330d464ef7a3cbef3',
    'b4510646-f1ab-c5f5-8fc3-03a12bd2330c',
    'bc0ae6d6-d187-d139-9502-16ca333704e0',
  ],
  'a trade at a time': [
    '0bfd15b80251a01f18d1b22079bd185d9209f1bf7808b05dda8a10c2ba802d8d',
    'ff605957-019e-3473-c128-67ba21791ef6',
    'ba0006ee-f687-8f12-75ea-4fd56df7302c',
  ],
  'a trade with the name that its source gives it': [
    '10e83259af18b5e5dff5157fb2e82616f80f9c9f4c54395f83e59df71d1d61c3',
    '06e7f99e-e35c-9911-0c12-15ca3314c256',
    'dabdfd8d-2de5-c1b8-200b-49af5d5561dd',
  ],
  'a trade of a coin': [
    'dce457d14b59b051d3575e78d909af73908c63e9508ad2e4b837082abc6d7cac',
    'e92bb2bb-b969-c005-3012-43fed49109b4',
    'b0a9937e-9188-8a95-c54f-bba942a71a39',
  ],
  'an account of several words': [
    '58675211ca7a37023e6746ba2c02f3823b70bff6f27a46d52cdb2b31411f9697',
    'a254857f-b265-f6e8-9fe3-91cdacb2e485',
    '94f1c3a9-e4b4-7215-dd97-77d10fbb4fa4',
  ],
  'an option by its symbol': [
    '439daf2af90c42a3f4683b6551526649d3d0f5634542053288f56effd2e9bc7e',
    'f0b1cf64-8e3f-f46e-d42c-17c3e41da8c4',
    '1ff639ec-6785-c6a0-7e1c-11f48a0cd034',
  ],
  'a coin for a coin': [
    '3f6450317038b5dd0c736832a14e770f991b7ad4b13a188f6c8b976e35dce7bd',
    '149831f6-7b3b-22c0-5f15-eef92282a53a',
    'db2fb091-0032-23f6-4cd7-a88ba9ca36ba',
  ],
  'a coin for a tokenized share': [
    'e7b673d944124427d857036df3ab0cc436102f63da035735629fb2d7bba27f25',
    '654ddd2e-5d86-dc68-447a-1e152c7bc432',
    'cf90da59-00ba-c541-3518-407589802747',
  ],
  'cash that comes': [
    '3a8d68a07b4d14af852d2ba9e35c8543b7657f7ef3e91742a1a3c8f9e13a0541',
    'c0a9841f-fed2-788e-8099-0b3ce36aaebb',
    '2a9a40bd-e636-1611-8470-2dd899d004ee',
  ],
  'everything at once': [
    '8e83f249dabb370e027d40c825d77c0095cad2c89d848362fb086b728ee274ac',
    'e4332dd8-ab8d-039c-c288-69e196c73fb7',
    'ad65f121-4629-7f83-9208-66f5be3963bd',
  ],
};

test('a row has one fingerprint and, under one key, one id, forever', () => {
  const ids = new RowIds(noTaxpayersKey);
  const found = Object.entries(statements).map(([name, row]) => {
    const { fingerprint } = prepare(row, 2, { accounts: {}, sourceClass: null, timeZone: null });
    return [name, [fingerprint, ids.computeRowId(fingerprint, 1), ids.computeRowId(fingerprint, 2)]];
  });
  expect(Object.fromEntries(found)).toEqual(known);
});
