import { describe, expect, test } from 'bun:test';
import { type Books, books, lineWords, lotWords, stakeText } from '../support/ledger.ts';

const universal = { digitalAssetScopeBefore2025: 'universal' } as const;
const bought = `
  b1: buy 2021-01-10 1 BTC @17000 in W
  b2: buy 2022-01-10 2 BTC @40000 in W
`;
const allocated = `
  transfer 2025-01-01 1 BTC in UNIVERSAL to W acquired 2021-01-10 basis 17000 lots b1:1
  transfer 2025-01-01 0.5 BTC in UNIVERSAL to W acquired 2022-01-10 basis 10000 lots b2:0.5
  transfer 2025-01-01 1.5 BTC in UNIVERSAL to X acquired 2022-01-10 basis 30000 lots b2:1.5
`;
const asked = ({ issues }: Books): string[] =>
  issues.map(({ issue, account, dollars }) => `${issue} in ${account} $${stakeText(dollars)}`);
const inWallets = ({ lots }: Books): string[] => lots.map(lotWords).sort();

/** Tests the rules in Rev. Proc. 2024-28, section 5.02. */
describe('an allocation of the universal pool', () => {
  test('moves exactly the named lots to their wallets', () => {
    const dealt = books(`${bought}${allocated}`, universal);
    expect(inWallets(dealt)).toEqual([
      '0.5 BTC in W 2022-01-10 10000.00',
      '1 BTC in W 2021-01-10 17000.00',
      '1.5 BTC in X 2022-01-10 30000.00',
    ]);
    expect(asked(dealt)).toEqual([]);
  });

  test('keeps both bases of a gift, its date, and an inheritance', () => {
    const { lots, lines, issues } = books(
      `
      g1: gift_in 2023-01-02 1 BTC acquired 2021-11-01 basis 60000 fmv 17000 in W
      i1: inherit 2023-02-02 1 BTC fmv 20000 in W
      transfer 2025-01-01 1 BTC in UNIVERSAL to W acquired 2021-11-01 basis 60000 lots g1:1
      transfer 2025-01-01 1 BTC in UNIVERSAL to X acquired 2023-02-02 basis 20000 lots i1:1
      sell 2025-03-01 1 BTC @15000 in W
    `,
      universal,
    );
    expect(lines.map(lineWords)).toEqual(['2025-03-01 1 BTC: 15000.00 - 17000.00 = -2000.00 long']);
    expect(lots.map(lotWords)).toEqual(['1 BTC in X INHERITED 20000.00']);
    expect(issues).toEqual([]);
  });

  test('finds lots whose ids have changed by their date and basis', () => {
    const renamed = allocated.replaceAll(/lots b/g, 'lots another-b');
    expect(inWallets(books(`${bought}${renamed}`, universal))).toEqual(
      inWallets(books(`${bought}${allocated}`, universal)),
    );
  });

  test('never allocates basis twice: units sold by a later row are missing in the wallet, and their basis is at stake', () => {
    const dealt = books(`${bought}${allocated}sell 2024-03-05 1 BTC @70000 in W`, universal);
    expect(inWallets(dealt)).toEqual(['0.5 BTC in W 2022-01-10 10000.00', '1.5 BTC in X 2022-01-10 30000.00']);
    expect(asked(dealt)).toEqual(['unreconciled in W $17000.00']);
  });

  test('leaves units that a later row bought earlier in the pool, with their basis at stake', () => {
    const dealt = books(`${bought}${allocated}b0: buy 2020-03-05 1 BTC @5000 in W`, universal);
    expect(inWallets(dealt)).toContain('1 BTC in UNIVERSAL 2020-03-05 5000.00');
    expect(inWallets(dealt)).toContain('1 BTC in W 2021-01-10 17000.00');
    expect(asked(dealt)).toEqual(['unreconciled in UNIVERSAL $5000.00']);
  });

  test('follows the records if a cost was corrected, and reports the difference', () => {
    const dealt = books(`${bought.replace('@17000', '@18000')}${allocated}`, universal);
    expect(inWallets(dealt)).toContain('1 BTC in W 2021-01-10 18000.00');
    expect(asked(dealt)).toEqual(['unreconciled in W $1000.00']);
  });
});
