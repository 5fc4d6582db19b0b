import { expect, test } from 'bun:test';
import { type BoxQuestion, chooseBox } from '../../src/engine/rules/lines/box.ts';
import { golden } from './shared.ts';

test('the table of boxes: forms, basis and term of stocks and digital assets, before 2025 and since', () => {
  const worked = golden('fm11');
  if (worked === undefined) return;
  const answers = worked.transactions.map((asked) => {
    const { box } = chooseBox({
      year: Number(asked.tax_year),
      assetClass: asked.asset_class === 'digital_asset' ? 'crypto' : 'stock',
      form: (asked.form ?? 'none') as BoxQuestion['form'],
      basisReported: asked.basis_reported === true,
      term: asked.term as BoxQuestion['term'],
    });
    return [asked.id, box];
  });
  expect(answers).toEqual(worked.transactions.map(({ id, expected_box }) => [id, expected_box]));
});
