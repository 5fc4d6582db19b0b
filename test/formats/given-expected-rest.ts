import type { Expected } from './given-expected.ts';

/** As in given-expected.ts: files of several tables, in another encoding, or whose headers are everyday words. */
export const expectedOfTheRest: Readonly<Record<string, Expected>> = {
  'hargreaves-lansdown/transaction_summary_latin1.csv': {
    format: 'hargreaves-lansdown',
    skipped: 2,
    told: [
      '8 2026-03-09 interest amount=3.87 currency=GBP',
      '9 2026-02-25 sell VANGUARD FTSE DEVELOPED WORLD UCITS ETF quantity=1000 amount=44988.05 currency=GBP id=S302087055',
      '10 2026-01-24 buy VANGUARD FTSE DEVELOPED WORLD UCITS ETF quantity=4563 amount=150006.84 currency=GBP id=B302087054',
    ],
  },
  'robinhood/crypto_transfers.csv': {
    format: 'robinhood-crypto',
    skipped: 0,
    told: [
      '2 2023-01-15 deposit USDC quantity=2',
      '3 2023-03-30T15:00:00Z withdrawal USDC quantity=1',
      '4 2023-03-30T15:00:01Z withdrawal USDC quantity=1',
    ],
  },
  'robinhood-1099/consolidated_1099_sections.csv': {
    format: 'robinhood-1099',
    skipped: 0,
    told: [
      '6 2024-03-01 reported_sale APPLE INC. COMMON STOCK quantity=10 amount=2000.00 acquired=2019-06-01 basis=1000.00 term=long',
      '7 2024-03-01 reported_sale APPLE INC. COMMON STOCK quantity=5 amount=1000.00 acquired=2023-06-01 basis=900.00 term=short',
      '8 2024-04-01 reported_sale NVDA 2024-06-21 C 120 quantity=1 amount=500.00 acquired=2024-01-01 basis=300.00 term=short asset_class=option',
    ],
  },
  'sharesight/taxable_income_report_sections.csv': {
    format: 'sharesight-income',
    skipped: 6,
    told: [
      '7 2020-11-10 dividend FUND1 amount=3.00 currency=GBP',
      '14 2020-10-10 dividend FOO amount=5.00',
      '14 2020-10-10 withholding FOO amount=0.75',
    ],
  },
  'vanguard-uk/cash_and_investment_sections.csv': {
    format: 'vanguard-uk',
    skipped: 16,
    told: [
      '7 2022-03-09 buy FOO quantity=1550 amount=14982.06 currency=GBP',
      '8 2022-04-01 interest amount=0.41 currency=GBP',
      '11 2022-04-09 dividend FOO amount=225.83 currency=GBP',
      '13 2022-05-28 buy BAR quantity=294 amount=29947.28 currency=GBP',
      '14 2022-07-17 sell BAR quantity=1 amount=104.06 currency=GBP',
      '16 2022-07-29 dividend FOO amount=170.83 currency=GBP',
      '17 2022-07-29 dividend FOO amount=-170.83 currency=GBP',
      '18 2022-07-29 dividend FOO amount=170.83 currency=GBP',
      '21 2022-10-01 buy EMERGING MARKETS STOCK INDEX FUND - ACCUMULATION quantity=6.77 amount=1000.00 currency=GBP',
      '22 2022-10-02 buy U.S. EQUITY INDEX FUND - ACCUMULATION quantity=0.9232 amount=400.00 currency=GBP',
    ],
  },
  'vanguard-uk/cash_only.csv': {
    format: 'vanguard-uk',
    skipped: 9,
    told: [
      '3 2022-03-09 buy FOO quantity=1550 amount=14982.06 currency=GBP',
      '4 2022-04-01 interest amount=0.41 currency=GBP',
      '7 2022-04-09 dividend FOO amount=225.83 currency=GBP',
      '9 2022-05-28 buy BAR quantity=294 amount=29947.28 currency=GBP',
      '10 2022-07-17 sell BAR quantity=1 amount=104.06 currency=GBP',
      '12 2022-07-29 dividend FOO amount=170.83 currency=GBP',
      '13 2022-07-29 dividend FOO amount=-170.83 currency=GBP',
      '14 2022-07-29 dividend FOO amount=170.83 currency=GBP',
      '17 2022-10-01 buy EMERGING MARKETS STOCK INDEX FUND - ACCUMULATION quantity=6.77 amount=1000.00 currency=GBP',
      '18 2022-10-02 buy U.S. EQUITY INDEX FUND - ACCUMULATION quantity=0.9232 amount=400.00 currency=GBP',
    ],
  },
};
