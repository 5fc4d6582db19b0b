import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { formatMoney } from '../../src/base/decimal.ts';
import type { Draft } from '../../src/formats/format.ts';
import { debtTerms } from '../../src/formats/tables/bonds.ts';
import { readWhole } from './reading.ts';

describe('the description of a bond states', () => {
  test.each([
    ['912797KZ8', 'UNITED STATES TREAS BILLS ZERO CPN 0.00000% 09/12/2024', 'treasury_bill 2024-09-12'],
    ['912797QX1', 'US TREASUR BILL25 U S T BILL DUE 03/20/25', 'treasury_bill 2025-03-20'],
    ['', 'US TREASURY BILL MATURITY DATE 05/01/2025', 'treasury_bill 2025-05-01'],
    ['TB 05/01/25', 'T-BILL 0% MAT 05/01/25', 'treasury_bill 2025-05-01'],
    ['91282CLF6', 'UNITED STATES TREAS NTS NOTE 3.87500% 08/15/2034', 'bond 2034-08-15'],
    ['345370DA5', 'FORD MTR CO 6.1%32 DUE 08/19/32', 'bond 2032-08-19'],
    ['', 'GOLDMAN SACHS BK CD 4.35000% 11/20/2026', 'nothing'],
    ['38150VAB1', 'GOLDMAN SACHS BK CD 4.35000% 11/20/2026', 'bond 2026-11-20'],
    ['64966QAA9', 'NEW YORK N Y GO BDS 5% MATURES 01-AUG-2031', 'bond 2031-08-01'],
    ['BIL', 'SPDR BLOOMBERG 1-3 MONTH T-BILL ETF', 'nothing'],
    ['TBIL', 'US TREASURY BILL 3 MONTH ETF', 'nothing'],
    ['AAPL', 'APPLE INC', 'nothing'],
    ['037833100', 'APPLE INC COM', 'nothing'],
  ])('%s, %s: %s', (symbol, description, expected) => {
    const terms = debtTerms(symbol, description);
    const words =
      terms === null
        ? 'nothing'
        : [terms.assetClass, terms.maturity === null ? '' : formatDay(terms.maturity)].join(' ').trim();
    expect(words).toBe(expected);
  });
});

const schwab = '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"';
const fidelity =
  'Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date';
const vanguard =
  'Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Type,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commission Fees,Net Amount,Accrued Interest,Account Type,';
const merrill =
  '"Trade Date","Settlement Date","Pending/Settled","Account Nickname","Account Registration","Account #","Type","Description 1 ","Description 2","Symbol/CUSIP #","Quantity","Price ($)","Amount ($)"';
const etrade =
  'Activity/Trade Date,Transaction Date,Settlement Date,Activity Type,Description,Symbol,Cusip,Quantity #,Price $,Amount $,Commission,Category,Note';
const flex =
  'CurrencyPrimary,Symbol,Description,DateTime,TradeDate,Quantity,TradePrice,Buy/Sell,ClientAccountID,AssetClass,ISIN,TradeID,TradeMoney,AccruedInterest,Taxes,IBCommission,IBCommissionCurrency,Open/CloseIndicator,Notes/Codes,LevelOfDetail';
const firstrade =
  'Symbol,Quantity,Price,Action,Description,TradeDate,SettledDate,Interest,Amount,Commission,Fee,CUSIP,RecordType';

/** Broker rows for one bond, and the expected result: price and interest separate, class and maturity set. */
const files: readonly (readonly [broker: string, csv: readonly string[], rows: readonly string[]])[] = [
  [
    'Schwab, which puts the interest into the amount',
    [schwab, '"04/02/2025","Buy","345370DA5","FORD MTR CO 6.1%32 DUE 08/19/32","20,000","$98.25","$0.00","-$19795.72"'],
    ['buy 345370DA5 20000 19650 145.72 bond 2032-08-19'],
  ],
  [
    'Schwab, of a sale with a fee',
    [
      schwab,
      '"04/02/2025","Sell","345370DA5","FORD MTR CO 6.1%32 DUE 08/19/32","20,000","$98.25","$10.00","$19785.72"',
    ],
    ['sell 345370DA5 20000 19650 145.72 bond 2032-08-19'],
  ],
  [
    'Schwab, of a bill that is redeemed in two rows',
    [
      schwab,
      '"03/20/2025","Full Redemption","912797QX1","US TREASUR BILL25 U S T BILL DUE 03/20/25","","","","$7000.00"',
      '"03/20/2025","Full Redemption Adj","912797QX1","US TREASUR BILL25 U S T BILL DUE 03/20/25","-7000","","",""',
    ],
    ['sell 912797QX1 7000 7000 - treasury_bill 2025-03-20'],
  ],
  [
    'Fidelity, which states the interest',
    [
      fidelity,
      '05/06/2025,"YOU BOUGHT UNITED STATES TREAS NTS NOTE 3.87500% 08/15/2034 (91282CLF6) (Cash)",91282CLF6,"UNITED STATES TREAS NTS NOTE 3.87500% 08/15/2034",Cash,5000,97.5,,,42.81,-4917.81,0,05/07/2025',
    ],
    ['buy 91282CLF6 5000 4875 42.81 bond 2034-08-15'],
  ],
  [
    'Vanguard, which states the interest',
    [
      vanguard,
      '87654321,05/06/2025,05/07/2025,Buy,Buy,BONDS,US TREASURY NOTE 3.875% DUE 08/15/2034,91282CLF6,5000,97.50,-4875.00,0.0,-4917.81,42.81,CASH,',
      '87654321,09/12/2024,09/12/2024,Redemption,Redemption,BONDS,US TREASURY BILL 0.000% 09/12/2024,912797KZ8,-9000,100.00,9000.00,0.0,9000.00,0.0,CASH,',
    ],
    ['buy 91282CLF6 5000 4875 42.81 bond 2034-08-15', 'sell 912797KZ8 9000 9000 - treasury_bill 2024-09-12'],
  ],
  [
    'Merrill, of bonds that are counted by the dollar of face',
    [
      merrill,
      '"5/6/2025","5/7/2025","Settled","--","CMA-Edge","AA-10001","SecurityTransactions","Purchase ","U.S. TREASURY NOTE 3.875% AUG 15 2034 DUE 08/15/2034","91282CLF6","5,000","97.50","(4,917.81)"',
      '"9/12/2024","9/12/2024","Settled","--","CMA-Edge","AA-10001","SecurityTransactions","Redemption ","U.S. TREASURY BILL 0.000% DUE 09/12/2024","912797KZ8","-9,000","","9,000.00"',
    ],
    ['buy 91282CLF6 5000 4875 42.81 bond 2034-08-15', 'sell 912797KZ8 9000 9000 - treasury_bill 2024-09-12'],
  ],
  [
    'E*TRADE, of bonds of a thousand',
    [
      etrade,
      '05/06/25,05/06/25,05/07/25,Bought,FORD MTR CO 6.1% DUE 08/19/2032,345370DA5,345370DA5,20,98.25,-19795.72,0,,',
      '09/12/24,09/12/24,09/12/24,Redemption,UNITED STATES TREASURY BILL DUE 09/12/2024,912797KZ8,912797KZ8,-9000,100,9000,0,,',
    ],
    ['buy 345370DA5 20 19650 145.72 bond 2032-08-19', 'sell 912797KZ8 9000 9000 - treasury_bill 2024-09-12'],
  ],
  [
    'Interactive Brokers, whose interest has a column of its own',
    [
      flex,
      'USD,F 6.1 08/19/32,F 6.1 08/19/32,20250402;100000,20250402,20000,98.25,BUY,U0000001,BOND,US345370DA55,7,19650,-145.72,0,-10,USD,O,,EXECUTION',
      'USD,912797KZ8,T 0 09/12/24,20240314;100000,20240314,9000,97.4,BUY,U0000001,BILL,US912797KZ84,8,8766,0,0,-5,USD,O,,EXECUTION',
    ],
    ['buy F 6.1 08/19/32 20000 19650 145.72 bond 2032-08-19', 'buy 912797KZ8 9000 8766 - treasury_bill 2024-09-12'],
  ],
  [
    'Firstrade, which states the interest',
    [
      firstrade,
      '345370DA5,20000,98.25,BUY,FORD MTR CO 6.1% DUE 08/19/2032,2025-04-02,2025-04-03,145.72,-19795.72,0.00,0.00,345370DA5,Trade',
    ],
    ['buy 345370DA5 20000 19650 145.72 bond 2032-08-19'],
  ],
];

describe('a bond is read separately from its accrued interest', () => {
  for (const [broker, csv, rows] of files) {
    test(`from ${broker}`, async () => {
      const { drafts, end } = await readWhole(`${csv.join('\n')}\n`);
      expect(drafts.map(wordsOf).sort()).toEqual([...rows].sort());
      const others = drafts.flatMap(({ warning = '' }) => (warning.includes('Form 1099-INT') ? [] : [warning]));
      expect(others.filter((one) => one !== '')).toEqual([]);
      expect(end.kind).toBe('end');
    });
  }

  test('an unexplained amount raises a warning', async () => {
    const row =
      '"04/02/2025","Buy","345370DA5","FORD MTR CO 6.1%32 DUE 08/19/32","20,000","$98.25","$0.00","-$29795.72"';
    const { drafts } = await readWhole(`${schwab}\n${row}\n`);
    expect(drafts.map(({ accruedInterest }) => accruedInterest)).toEqual([null]);
    expect(drafts[0]?.warning).toContain('price times units');
  });
});

function wordsOf({ type, asset, quantity, amount, accruedInterest, assetClass, maturity }: Draft): string {
  const money = (value: Draft['amount']) => (value === null ? '-' : Number(formatMoney(value)).toString());
  const due = maturity === null ? '-' : formatDay(maturity);
  return [type, asset, Number(quantity) / 1e18, money(amount), money(accruedInterest), assetClass, due].join(' ');
}
