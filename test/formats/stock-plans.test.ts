import { expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

const awards =
  'Date,Action,Symbol,Description,Quantity,FeesAndCommissions,DisbursementElection,Amount,Type,Shares,SalePrice,SubscriptionDate,SubscriptionFairMarketValue,PurchaseDate,PurchasePrice,PurchaseFairMarketValue,DispositionType,AwardDate,AwardId,FairMarketValuePrice,SharesSoldWithheldForTaxes,NetSharesDeposited,Taxes';

async function linesOf(text: string): Promise<string[]> {
  return outcomeLines(await readWhole(text), 'Schwab Equity Awards');
}

test('a deposit from a purchase plan is a purchase on its own day, with its value and offering date', async () => {
  const file = [
    awards,
    '07/02/2025,Deposit,ACME,ESPP,20,,,,,,,,,,,,,,,,,,',
    ',,,,,,,,,,,01/02/2025,$100.00,06/30/2025,$85.00,$120.00,,,,,,,',
  ].join('\n');
  expect(await linesOf(file)).toEqual([
    '2+3 2025-06-30 espp_purchase ACME quantity=20 amount=1700.00 fmv=2400.00 offered=2025-01-02',
  ]);
});

test('a deposit of shares that vested still asks for its cost, because the lapse is another row', async () => {
  const file = [awards, '07/02/2025,Deposit,ACME,RS,20,,,,,,,,,,,,,,,,,,', ',,,,,,,,,,,,,,,,,06/30/2025,1,,,,'].join(
    '\n',
  );
  expect((await linesOf(file)).every((line) => line.includes('REJECTED'))).toBe(true);
});

test('a vesting without withheld shares is one row of wages', async () => {
  const file = [
    awards,
    '07/02/2025,Lapse,ACME,Restricted Stock Lapse,20,,,,,,,,,,,,,,,,,,',
    ',,,,,,,,,,,,,,,,,01/02/2024,77,$10.00,0,20,',
  ].join('\n');
  expect(await linesOf(file)).toEqual(['2+3 2025-07-02 wages ACME quantity=20 amount=200.00 id=77']);
});

const gains =
  'Record Type,Symbol,Plan Type,Quantity,Date Acquired,Acquisition Cost,Ordinary Income Recognized,Adjusted Cost Basis,Date Sold,Total Proceeds,Capital Gains Status,Covered Status,Grant Date,Order Number';

test('a supplement whose parts do not sum to the adjusted basis has the adjusted basis and no wages', async () => {
  const file = [
    gains,
    'Sell,ACME,ESPP,25,06/15/2026,"$3,400.00",$500.00,"$4,000.00",06/22/2026,"$3,800.00",Short,Covered,12/16/2025,9',
  ].join('\n');
  expect(outcomeLines(await readWhole(file), 'E*TRADE')).toEqual([
    '2 2026-06-22 reported_sale ACME quantity=25 amount=3800.00 acquired=2026-06-15 basis=4000.00 term=short id=9',
  ]);
});
