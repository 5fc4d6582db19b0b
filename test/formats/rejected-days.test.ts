import { expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { readWhole } from './reading.ts';

const timeZone = 'America/New_York';

async function rejectedDays(csv: string, options: { readonly mapping?: Mapping } = {}): Promise<string[]> {
  const { outcomes } = await readWhole(csv, { timeZone, ...options });
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'rejected' ? [outcome.issue.on === undefined ? 'no day' : formatDay(outcome.issue.on)] : [],
  );
}

test("a line that cannot be read has its day in the taxpayer's zone", async () => {
  const csv = `date,type,account,asset,quantity,amount
2026-01-01T02:00:00Z,buy,Exchange,BTC,many,10
2026-01-01T06:00:00Z,buy,Exchange,BTC,many,10
2025-12-31 23:59:00,lend,Exchange,BTC,1,10
2025-12-31,buy,Exchange,BTC,many,10
`;
  expect(await rejectedDays(csv)).toEqual(['2025-12-31', '2026-01-01', '2025-12-31', '2025-12-31']);
});

const rowsOfClub = `Settles,Traded,Symbol,Side,Units,Price
2026-01-02,2025-12-31,XYZ,Bought,many,10
2026-01-05,not known,XYZ,Bought,1,10
2026-01-06,2026-01-05,XYZ,Bought,1,10
`;
const club: Mapping = {
  columns: { Traded: 'date', Symbol: 'asset', Side: 'type', Units: 'quantity', Price: 'price' },
};

test('a line in a mapped file has the day in the mapped column, and the day in another date column only if the former cannot be read', async () => {
  expect(await rejectedDays(rowsOfClub, { mapping: club })).toEqual(['2025-12-31', '2026-01-05']);
});

test('a line from a broker has the day of the trade, not of the settlement', async () => {
  const csv = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"12/31/2025","Mystery","XYZ","XYZ CORP","10","$40.00","","-$400.00"
"01/02/2026 as of 12/31/2025","Buy","XYZ","XYZ CORP","many","$40.00","","-$400.00"
"01/05/2026","Buy","XYZ","XYZ CORP","10","$40.00","","-$400.00"
`;
  expect(await rejectedDays(csv)).toEqual(['2025-12-31', '2025-12-31']);
});

test("a line from an exchange whose times are in UTC has its day in the taxpayer's zone", async () => {
  const csv = `Date,Currency,Type,Address,Memo/Tag,TxId,Amount
2026-01-01 02:00:00,BTC,MYSTERY,a1,,t1,1
2026-01-01 06:00:00,BTC,MYSTERY,a1,,t2,1
`;
  expect(await rejectedDays(csv)).toEqual(['2025-12-31', '2026-01-01']);
});

test('a line that names its effective day in a text has that day', async () => {
  const csv = `Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date
01/03/2025,MYSTERY as of Dec-31-2024 XYZ CORP (XYZ) (Cash),XYZ,XYZ CORP,Cash,10,1,,,,-10,0,
01/03/2025,YOU BOUGHT AS OF 12-31-24 XYZ CORP (XYZ) (Cash),XYZ,XYZ CORP,Cash,many,1,,,,-10,0,
01/03/2025,MYSTERY as of Dec-31-2024 AS OF 12-30-24 XYZ CORP (XYZ) (Cash),XYZ,XYZ CORP,Cash,10,1,,,,-10,0,
01/03/2025,MYSTERY shares held as of 12/31/2024 XYZ CORP (XYZ) (Cash),XYZ,XYZ CORP,Cash,10,1,,,,-10,0,
`;
  expect(await rejectedDays(csv)).toEqual(['2024-12-31', '2024-12-31', '2025-01-03', '2025-01-03']);
});

test('an option name that cannot be read is rejected, and never read as a share', async () => {
  const csv = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"03/01/2024","Sell Short","ACME 25 CALL DEC 29 2023","CALL ACME","1","$0.50","","$50.00"
"03/01/2024","Buy","CALL ACME 12/29/24 25.000","CALL ACME","1","$0.50","","-$50.00"
`;
  const { outcomes } = await readWhole(csv, { timeZone });
  expect(outcomes.map((one) => (one.kind === 'rejected' ? one.issue.code : one.kind))).toEqual([
    'bad_option',
    'bad_option',
  ]);
});
