/**
 * Rows at 9 PM on December 31, 2025, in New York, which is January 1, 2026, in UTC: purchases, sales, income,
 * transfers, a gift and a line that cannot be read. A taxpayer in New York sees none of them on a 2026 date.
 */
export const newYearRows = `date,type,account,asset,quantity,amount,fee,received_asset,received_quantity,asset_class,external_id
2025-02-01T15:00:00Z,buy,Exchange,BTC,3,120000,0,,,crypto,b1
2025-03-01T15:00:00Z,buy,Broker,XYZ,100,5000,0,,,stock,b2
2026-01-01T02:00:00Z,sell,Exchange,BTC,1,90000,0,,,crypto,s1
2026-01-01T02:01:00Z,sell,Broker,XYZ,40,1000,0,,,stock,s2
2026-01-01T02:02:00Z,buy,Broker,XYZ,10,240,0,,,stock,b3
2026-01-01T02:03:00Z,buy,Exchange,ETH,2,6000,0,,,crypto,b4
2026-01-01T02:04:00Z,staking,Exchange,ETH,0.01,30,0,,,crypto,i1
2026-01-01T02:05:00Z,withdrawal,Exchange,BTC,0.5,,0,,,crypto,w1
2026-01-01T02:06:00Z,trade,Exchange,BTC,0.1,9000,0,SOL,50,crypto,t1
2026-01-01T02:07:00Z,gift_out,Exchange,BTC,0.1,,0,,,crypto,g1
2026-01-01T02:08:00Z,sell,Exchange,LTC,1,80,0,,,crypto,s3
2026-01-01T02:09:00Z,buy,Exchange,ADA,many,80,0,,,crypto,r1
`;

/** Dates of January 1, 2026, in a text, except for instants marked as UTC. */
export function wrongDays(text: string): string[] {
  const days =
    /.{0,60}(?:2026-01-01(?!T0?2:0)|\b0?1\/0?1\/(?:20)?26\b|Jan(?:uary)? 0?1, 2026(?!, \d+:\d\d\s[AP]M UTC)|\b20260101\b).{0,40}/g;
  return (text.match(days) ?? []).map((fault) => fault.trim());
}
