import { expect, test } from 'bun:test';
import { readBalances } from '../../src/features/ledger/balances/read-balances.ts';
import { streamOf } from '../formats/reading.ts';

/** An exchange reports times in UTC. Its last row on the evening of December 31 in New York is dated January 1. */
const ledger = `"txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance"
"L1","RA","2025-12-31 18:00:00","trade","","currency","XXBT","spot / main",0.5,0,0.5
"L2","RB","2026-01-01 02:00:00","trade","","currency","XXBT","spot / main",-0.25,0,0.25
"L3","RC","2026-01-01 05:00:00","trade","","currency","XXBT","spot / main",-0.125,0,0.125
`;

test.each([
  ['America/New_York', ['2025-12-31 0.25', '2026-01-01 0.125']],
  ['America/Los_Angeles', ['2025-12-31 0.125']],
  ['UTC', ['2025-12-31 0.5', '2026-01-01 0.125']],
  ['Asia/Tokyo', ['2026-01-01 0.125']],
])("the balances in a ledger are dated at the end of the taxpayer's days in %s", async (timeZone, expected) => {
  const { balances } = await readBalances(streamOf(ledger), { account: 'Kraken', on: null, timeZone });
  expect(balances.map(({ day, quantity }) => `${day} ${quantity}`)).toEqual(expected);
});
