import { expect, test } from 'bun:test';
import { idOf, prepare } from '../../src/features/transactions/staged/prepare.ts';
import { statements } from './statements.ts';

/** Stored books name their rows by these: whoever changes one takes every row of a file that comes again for a new one. */
const known: Record<string, readonly [fingerprint: string, first: string, second: string]> = {
  trade: [
    'd3e3f1d29f1e76d3ef18180ae4d7384055041faf5b0d39e330d464ef7a3cbef3',
    '452024dc-db84-7e98-f90f-83b1286a3d05',
    'd5aeca44-6463-9fe4-9317-528fce3cbf1e',
  ],
  'a trade at a time': [
    '0bfd15b80251a01f18d1b22079bd185d9209f1bf7808b05dda8a10c2ba802d8d',
    '56b6783c-ce85-a7dd-cbda-271303c6cefd',
    '235541b9-0912-473e-8e55-661b25572db1',
  ],
  'a trade with the name that its source gives it': [
    '10e83259af18b5e5dff5157fb2e82616f80f9c9f4c54395f83e59df71d1d61c3',
    'fe6166b0-66d1-2e4f-cde9-a45042872f2e',
    'b538417d-eebd-ce44-2178-907384cf925e',
  ],
  'a trade of a coin': [
    'dce457d14b59b051d3575e78d909af73908c63e9508ad2e4b837082abc6d7cac',
    'dd69f789-54ec-ba3c-d96f-6068d68019df',
    '1bee90c3-0753-4b99-ed3b-00a8e81c9505',
  ],
  'an account of several words': [
    '58675211ca7a37023e6746ba2c02f3823b70bff6f27a46d52cdb2b31411f9697',
    'd0c8bb15-7652-9b2c-2891-8b01aa1f0db7',
    '2147af61-7b20-a7f4-a413-f11cd74d5d98',
  ],
  'an option by its symbol': [
    '439daf2af90c42a3f4683b6551526649d3d0f5634542053288f56effd2e9bc7e',
    '829b6910-ca1d-4c9f-9c99-ea08fbff7580',
    'e0384926-75d0-ebd6-ae3c-7af0a46b8ef9',
  ],
  'a coin for a coin': [
    '3f6450317038b5dd0c736832a14e770f991b7ad4b13a188f6c8b976e35dce7bd',
    '295025bd-0e1f-48e9-a456-514ae03f6f1a',
    '409cc576-dd8d-9889-41b1-3bbcd315e0a1',
  ],
  'a coin for a tokenized share': [
    'e7b673d944124427d857036df3ab0cc436102f63da035735629fb2d7bba27f25',
    'b8c27cb3-218a-5910-d9f1-dd2d7c354a6e',
    '2b01fa9d-5b9d-4bb3-78af-04f4706ede96',
  ],
  'cash that comes': [
    '3a8d68a07b4d14af852d2ba9e35c8543b7657f7ef3e91742a1a3c8f9e13a0541',
    'bca0f6b0-12d4-3bb8-0268-beded42e9dae',
    'f6e42cb0-32b7-dc8e-5f16-9f7c7a3a83a1',
  ],
  'everything at once': [
    '8e83f249dabb370e027d40c825d77c0095cad2c89d848362fb086b728ee274ac',
    'e8fcbc0c-971e-2eec-773c-7e92dae35bca',
    '70e6a24e-3fd2-91b7-437e-9cc3cd93b84c',
  ],
};

test('what a row means has one fingerprint and one id, for ever', () => {
  const found = Object.entries(statements).map(([name, row]) => {
    const { fingerprint } = prepare(row, 2, { accounts: {}, sourceClass: null, timeZone: null });
    return [name, [fingerprint, idOf(fingerprint, 1), idOf(fingerprint, 2)]];
  });
  expect(Object.fromEntries(found)).toEqual(known);
});
