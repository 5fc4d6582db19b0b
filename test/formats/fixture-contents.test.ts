import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatById } from '../../src/formats/index.ts';
import { exchangeContents } from './exchange-contents.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** The contents of these fixtures, checked manually against the files. */
const expected: Readonly<Record<string, readonly string[]>> = {
  cexio: [
    '4 2021-01-05T10:00:01Z buy ETH quantity=2 amount=2000.00 fee=5.00',
    '6 2021-01-06T10:00:02Z sell ETH quantity=0.5 amount=600.00 fee=1.50',
    '7 2021-01-07T10:00:00Z deposit BTC quantity=0.25',
    '9 2021-01-08T10:00:00Z withdrawal BTC quantity=0.1 fee_asset=BTC fee_quantity=0.0005',
    '10+11 2021-01-09T10:00:00Z trade ETH quantity=1 received_asset=BTC received_quantity=0.04',
    '12 2021-01-10T10:00:00Z staking ATOM quantity=0.12',
    '13 2021-01-11T10:00:00Z reward amount=3.00',
    '15 REJECTED Type: unknown_type',
  ],
  coinlist: [
    '2 2021-06-01T14:00:00Z deposit SOL quantity=1200.5',
    '3 2021-06-02T14:00:00Z sell SOL quantity=200.5 amount=6000.25',
    '4 2021-06-03T14:00:00Z trade SOL quantity=100 received_asset=BTC received_quantity=0.09',
    '5 2021-06-04T14:00:00Z deposit FLOW quantity=400',
    '6 2021-06-05T14:00:00Z staking SOL quantity=1.25',
    '8 2021-12-07T15:00:00Z withdrawal SOL quantity=10',
    '9 REJECTED Description: unknown_type',
  ],
  gateio: [
    '2 2022-03-01T09:00:00Z deposit USDT quantity=1000',
    '3+6+7+8+9 2022-03-02T11:00:00Z trade USDT quantity=600 received_asset=XCH received_quantity=12 fee_asset=XCH fee_quantity=0.024 id=7002',
    '10 2022-03-03T09:00:00Z interest USDT quantity=0.5',
    '11 2022-03-04T09:00:00Z airdrop GT quantity=2',
    '12 2022-03-05T09:00:00Z reward USDT quantity=1.5',
    '13 2022-03-06T09:00:00Z withdrawal XCH quantity=5',
    '14+15 2022-03-07T09:00:00Z trade ABC quantity=0.01 received_asset=GT received_quantity=0.001 id=7008',
    '16 REJECTED action_desc: unpaired',
    '17 REJECTED action_desc: unknown_type',
  ],
  okx: [
    '3+4 2025-03-09T01:00:00Z trade USDC quantity=120 received_asset=SOL received_quantity=1 fee_asset=SOL fee_quantity=0.001 id=8013',
    '5 REJECTED Trade Type: unknown_type',
    '6 REJECTED Order id: unpaired',
    '8+9 2025-03-06T02:00:00Z trade ETH quantity=1 received_asset=BTC received_quantity=0.04 fee_asset=BTC fee_quantity=0.00004 id=8008',
    '10+11 2025-03-04T23:59:59Z trade BTC quantity=0.005 received_asset=USDC received_quantity=450 fee_asset=USDC fee_quantity=0.45 id=8006',
    '12+13+14+15 2025-03-04T12:15:00Z buy BTC quantity=0.02 amount=1760.00 fee=1.76 fee_asset=BTC fee_quantity=0.00002 id=8002',
  ],
  'bitfinex-ledger': [
    '2 REJECTED DESCRIPTION: unknown_type',
    '3 2021-06-24T09:30:00Z reward amount=2.25 id=9014',
    '4 2021-06-23T09:30:00Z staking DOT quantity=0.2 id=9013',
    '5 REJECTED DESCRIPTION: unknown_type',
    '6 2021-06-21T09:30:00Z interest amount=3.75 id=9011',
    '8 2021-06-19T09:30:00Z fee BTC quantity=0.0004 id=9009',
    '9 2021-06-19T09:30:00Z withdrawal BTC quantity=0.25 id=9008',
    '10+11+12 2021-06-15T09:30:00Z sell BTC quantity=0.25 amount=8000.00 fee=16.00',
    '13+14+15 2021-06-14T09:30:00Z buy BTC quantity=0.75 amount=22500.00 fee=15.00 fee_asset=BTC fee_quantity=0.0005',
    '16 2021-06-13T09:30:00Z deposit ETH quantity=4 id=9001',
  ],
  staketax: [
    '2 2023-01-01T10:00:00Z staking @osmosis osmo1example OSMO quantity=1.25 id=T1',
    '2 2023-01-01T10:00:00Z fee @osmosis osmo1example OSMO quantity=0.002 id=T1',
    '3 2023-01-02T10:00:00Z trade @osmosis osmo1example OSMO quantity=120.004 received_asset=ATOM received_quantity=10 fee_asset=OSMO fee_quantity=0.004 id=T2',
    '4 2023-01-03T10:00:00Z deposit @osmosis osmo1example OSMO quantity=50 id=T3',
    '5 2023-01-04T10:00:00Z withdrawal @osmosis osmo1example OSMO quantity=20 fee_asset=OSMO fee_quantity=0.003 id=T4',
    '6 2023-01-05T10:00:00Z trade @osmosis osmo1example ATOM quantity=5 received_asset=LP-OSMO-ATOM received_quantity=3 id=T5',
    '7 2023-01-06T10:00:00Z airdrop @osmosis osmo1example ION quantity=7 id=T6',
    '8 2023-01-07T10:00:00Z spend @osmosis osmo1example OSMO quantity=2 id=T7',
    '9 2023-01-08T10:00:00Z fee @osmosis osmo1example OSMO quantity=0.001 id=T8',
    '10 REJECTED tx_type: unknown_type',
  ],
  circle: [
    '2 2015-03-01T10:00:00Z buy BTC quantity=1 amount=250.00 id=C1',
    '3 2015-03-02T10:00:00Z withdrawal BTC quantity=0.2 id=C2',
    '4 2015-03-03T10:00:00Z deposit BTC quantity=0.1 id=C3',
    '5 2015-03-04T10:00:00Z sell BTC quantity=0.5 amount=140.00 id=C4',
    '8 2017-08-01T10:00:00Z airdrop BCH quantity=0.4 id=C7',
    '9 REJECTED Transaction Type: unknown_type',
  ],
  'coinbase-transactions': [
    '4 2014-01-05T18:00:00Z buy BTC quantity=1 amount=800.00 fee=8.00 id=TR1',
    '5 2014-01-06T18:00:00Z withdrawal BTC quantity=0.2',
    '6 2014-01-07T18:00:00Z deposit BTC quantity=0.5',
    '7 2014-01-08T18:00:00Z sell BTC quantity=0.3 amount=260.00 fee=2.60 id=TR2',
  ],
  adalite: [
    '2 2021-05-01T10:00:00Z deposit ADA quantity=1500.25 id=a1',
    '3 2021-05-06T21:44:51Z staking ADA quantity=1.5',
    '4 2021-05-07T10:00:00Z withdrawal ADA quantity=200 fee_asset=ADA fee_quantity=0.17 id=a2',
    '5 2021-05-11T21:44:51Z staking ADA quantity=1.75',
    '6 REJECTED Type: unknown_type',
  ],
  firstrade: [
    '2 2025-01-15 buy ACME quantity=100 amount=1550.00',
    '3 2025-01-20 sell ACME quantity=40 amount=640.00 fee=1.05',
    '4 2025-02-03 buy_to_open ACME 2025-06-20 C 17.5 quantity=1 amount=550.00 fee=0.02 underlying=ACME right=call asset_class=option',
    '5 2025-03-03 sell_to_close ACME 2025-06-20 C 17.5 quantity=1 amount=625.00 fee=0.03 underlying=ACME right=call asset_class=option',
    '6 REJECTED Description: unknown_type',
    '7 2025-03-05 dividend GRID amount=12.00',
    '8 2025-03-05 buy GRID quantity=0.8 amount=12.00',
    '9 2025-03-06 interest amount=1.25',
    '11 REJECTED Action: unknown_type',
  ],
  chase: [
    '2 2026-03-09 interest @Self-Directed 1234 amount=0.41',
    '3 2026-03-06 sell @Self-Directed 1234 ACME quantity=40 amount=650.00',
    '4 2026-03-05 buy @Self-Directed 1234 GRID quantity=0.8 amount=12.00',
    '5 2026-03-05 dividend @Self-Directed 1234 GRID amount=12.00',
    '7 2026-03-04 buy @Self-Directed 1234 ACME quantity=100 amount=1550.00',
    '8 2026-03-03 deposit @Self-Directed 1234 HOME quantity=25',
    '10 REJECTED Security Type: unknown_type',
    '11 REJECTED Tax Withheld: unknown_type',
  ],
};

for (const [format, rows] of Object.entries({ ...expected, ...exchangeContents })) {
  test(`${format}: its fixture has the expected contents`, async () => {
    const reading = await readWhole(
      readFileSync(join(import.meta.dir, '../fixtures/formats', `${format}.csv`), 'utf8'),
    );
    expect(outcomeLines(reading, formatById(format)?.source ?? '')).toEqual([...rows]);
  });
}
