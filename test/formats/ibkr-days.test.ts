import { expect, test } from 'bun:test';
import { formatDay, formatInstant } from '../../src/base/day.ts';
import type { Draft } from '../../src/formats/format.ts';
import { readWhole } from './reading.ts';

/** IBKR reports times in US Eastern time. It books events after the close at 4:20 or 8:25 PM on the same day. */

const taxpayerZones = ['UTC', 'America/New_York', 'America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo'];
const lastDays = ['2024-06-28', '2024-07-31', '2025-02-28', '2025-12-31'];

async function readDrafts(csv: string, timeZone: string): Promise<readonly Draft[]> {
  const { drafts, outcomes } = await readWhole(csv, { timeZone });
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  return drafts;
}

const actions = (day: string): string => `Statement,Header,Field Name,Field Value
Statement,Data,Title,Activity Statement
Account Information,Header,Field Name,Field Value
Account Information,Data,Account,U1112223
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code
Trades,Data,Order,Equity and Index Options,USD,PINE 19DEC25 30 P,"${day}, 20:25:00",-2,0,0,0,0,-60,-60,0,C;Ep
Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code
Corporate Actions,Data,Stocks,USD,${day},"${day}, 20:25:00","OAKS(US0000000101) Split 3 for 1 (OAKS, OAKS CORP, US0000000101)",80,0,0,0,
Corporate Actions,Data,Stocks,USD,${day},"${day}, 20:25:00","ELMS(US0000000102) Merged(Acquisition) for USD 12.00 per Share (ELMS, ELMS INC, US0000000102)",-10,120,0,0,
Corporate Actions,Data,Stocks,USD,${day},"${day}, 20:25:00","FIRS(US0000000103) Merged(Acquisition) WITH US0000000104 1 for 2 (FIRS, FIRS INC, US0000000103)",-10,0,0,0,
Corporate Actions,Data,Stocks,USD,${day},"${day}, 20:25:00","FIRS(US0000000103) Merged(Acquisition) WITH US0000000104 1 for 2 (PLUM, PLUM INC, US0000000104)",5,0,0,0,
Corporate Actions,Data,Stocks,USD,${day},"${day}, 20:25:00","BIRC(US0000000105) CUSIP/ISIN Change to (US0000000106) (BIRC.OLD, BIRC INC, US0000000105)",-10,0,0,0,
Corporate Actions,Data,Stocks,USD,${day},"${day}, 20:25:00","BIRC(US0000000105) CUSIP/ISIN Change to (US0000000106) (BRCH, BIRC INC, US0000000106)",10,0,0,0,
`;

for (const timeZone of taxpayerZones) {
  for (const day of lastDays) {
    test(`a booking by IBKR at 8:25 PM on ${day} stays on that day for a taxpayer in ${timeZone}`, async () => {
      const drafts = await readDrafts(actions(day), timeZone);
      expect(drafts.map(({ type, on }) => `${type} ${formatDay(on)}`).sort()).toEqual(
        ['expire', 'merger', 'rename', 'sell', 'split'].map((type) => `${type} ${day}`),
      );
      // The split comes after the trades on its day and has New York time.
      const split = drafts.find(({ type }) => type === 'split');
      expect(split?.timeZone).toBe('America/New_York');
      expect(split?.at && formatInstant(split.at).slice(11)).toBe(/-0[67]-/.test(day) ? '00:25:00Z' : '01:25:00Z');
    });
  }
}

test("a trade in an activity statement has New York time, and its day is in the taxpayer's time zone", async () => {
  const csv = `Statement,Header,Field Name,Field Value
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code
Trades,Data,Order,Stocks,USD,OAKS,"2025-12-31, 19:40:00",10,20,20,-200,-1,201,0,0,O
`;
  const readDays = async (timeZone: string) =>
    (await readDrafts(csv, timeZone)).map(({ at, on }) => `${at === null ? '' : formatInstant(at)} ${formatDay(on)}`);
  expect(await readDays('America/New_York')).toEqual(['2026-01-01T00:40:00Z 2025-12-31']);
  expect(await readDays('America/Los_Angeles')).toEqual(['2026-01-01T00:40:00Z 2025-12-31']);
  expect(await readDays('Europe/Berlin')).toEqual(['2026-01-01T00:40:00Z 2026-01-01']);
});

test('an evening booking in a Flex query stays on its day', async () => {
  const trades = `"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","TradeID","Multiplier","DateTime","TradeDate","Buy/Sell","Quantity","TradePrice","TradeMoney","Proceeds","IBCommission","IBCommissionCurrency","Open/CloseIndicator","Notes/Codes"
"U1112223","USD","OPT","PINE  251231P00030000","51","100","20251231;202500","20251231","BUY","2","0","0","0","0","USD","C","Ep"
"U1112223","USD","STK","OAKS","52","1","20251231;193000","20251231","BUY","10","20","200","-200","-1","USD","O",""
`;
  const cash = `"ClientAccountID","CurrencyPrimary","Symbol","Type","SettleDate","Description","Amount","TransactionID"
"U1112223","USD","OAKS","Dividends","20251231;202000","OAKS(US0000000101) CASH DIVIDEND","12.5","71"
`;
  const both = [...(await readDrafts(trades, 'Europe/Paris')), ...(await readDrafts(cash, 'Europe/Paris'))];
  expect(both.map(({ type, on }) => `${type} ${formatDay(on)}`).sort()).toEqual([
    'buy 2026-01-01',
    'dividend 2025-12-31',
    'expire 2025-12-31',
  ]);
});
