import { describe, expect, test } from 'bun:test';
import { formatMoney } from '../../src/base/decimal.ts';
import { type MappingProposal, proposeMapping } from '../../src/formats/mapping/mapping-proposal.ts';
import { readRows, rowLimits } from '../../src/formats/rows/rows.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { unfriendlyLayout } from '../support/unfriendly-layouts.ts';
import { readWhole, streamOf } from './reading.ts';

const layoutsMax = draws(150, 1_000);

async function propose(text: string): Promise<MappingProposal | undefined> {
  const rows = [];
  for await (const batch of readRows(streamOf(text), rowLimits, { bytes: 0 })) rows.push(...batch);
  return proposeMapping(rows);
}

describe('a question in a proposed mapping states the money that its answer affects', () => {
  test.each([
    [
      'the fees, where the question is whether an amount contains them',
      'Date,Type,Symbol,Shares,Trade Value,Fees\n2024-01-02,Buy,KO,10,600.00,1.25\n2024-02-02,Sell,KO,10,650.00,1.35\n',
      'Affects $2.60 in the first 2 rows.',
    ],
    [
      'another currency, where the header names it',
      'Date,Type,Symbol,Shares,Trade Value (EUR),Fees (EUR)\n2024-01-02,Buy,KO,10,600.00,1.25\n2024-02-02,Sell,KO,10,650.00,1.35\n',
      'Affects EUR 2.60 in the first 2 rows.',
    ],
  ])('%s', async (_name, text, stake) => {
    expect(Object.values((await propose(text))?.mapping.undecided ?? {}).join('\n')).toContain(stake);
  });

  test('in every layout of the generator', async () => {
    const seed = seedFor('stakes of questions');
    const questions: string[] = [];
    for (let index = 0; index < layoutsMax; index += 1) {
      const { text } = unfriendlyLayout(seed, index);
      questions.push(...Object.values((await propose(text))?.mapping.undecided ?? {}));
    }
    expect(questions.length).toBeGreaterThan(draws(5, 50));
    expect(questions.filter((question) => !/Affects .*\d\.\d\d in the first|\$\d/.test(question))).toEqual([]);
  });
});

test('a future with an unknown point value is read once the mapping states it', async () => {
  const text =
    'Date,Side,Contract,Qty,Price,Fee\n2024-03-04,Buy,/QZXH4,1,100.00,2\n2024-03-05,Sell,/QZXH4,1,103.00,2\n';
  const proposal = await propose(text);
  expect(proposal?.unknownFutures).toEqual(['QZX']);
  if (proposal === undefined) return;
  const { undecided: _asked, ...mapping } = proposal.mapping;
  const columns = { ...mapping.columns, Contract: 'asset' as const };
  const { drafts } = await readWhole(text, { mapping: { ...mapping, columns, multipliers: { QZX: '25' } } });
  expect(drafts.map(({ amount }) => (amount === null ? '' : formatMoney(amount)))).toEqual(['2500.00', '2575.00']);
});
