import { expect, test } from 'bun:test';
import { inversePatch } from '../../src/web/format/inverse-patch.ts';

test('the undo of a merge patch restores each changed member', () => {
  const before = {
    method: 'FIFO',
    methodFrom: [{ year: 2024, method: 'HIFO' }],
    accounts: { Schwab: { type: 'ira', form: '1099-B' }, Vault: { type: 'taxable' } },
  };
  const patch = {
    method: 'HIFO',
    methodFrom: null,
    accounts: { Schwab: { type: 'taxable', form: null, wallet: 'Vault' }, New: { type: 'hsa' } },
    taxableIncome: { 2024: '1' },
  };
  expect(inversePatch(before, patch)).toEqual({
    method: 'FIFO',
    methodFrom: [{ year: 2024, method: 'HIFO' }],
    accounts: { Schwab: { type: 'ira', form: '1099-B', wallet: null }, New: null },
    taxableIncome: null,
  });
});
