import type { Expected } from './expected.ts';

/** Like expected.ts, for exchanges and wallets. */
export const expectedOfExchanges: Readonly<Record<string, Expected>> = {
  'binance/autoinvest.csv': {
    format: 'binance',
    skipped: 0,
    lines: [
      '2 2022-05-01T14:00:00Z trade USDT quantity=10 received_asset=ETH received_quantity=0.01 fee_asset=USDT fee_quantity=0.0025',
      '3 2022-05-01T14:00:00Z trade USDT quantity=20 received_asset=BTC received_quantity=0.002 fee_asset=USDT fee_quantity=0.005',
    ],
  },
  'binance/betheth.csv': {
    format: 'binance',
    skipped: 0,
    lines: ['2 2021-03-01T12:00:00Z trade ETH quantity=0.1 received_asset=BETH received_quantity=0.1'],
  },
  'binance/trades_units_in_cells.csv': {
    format: 'binance',
    skipped: 0,
    lines: [
      '2 2021-06-05T16:36:56Z buy DOGE quantity=500 amount=155.155 fee=0.155155 currency=EUR fee_asset=DOGE fee_quantity=0.5',
      '3 2021-06-07T16:02:28Z trade DOGE quantity=200 received_asset=BTC received_quantity=0.002012 fee_asset=BTC fee_quantity=0.00000201',
    ],
  },
  'kucoin/account_history.csv': {
    format: 'kucoin',
    skipped: 2,
    lines: [],
  },
  'kucoin/deposit_history_uid.csv': {
    format: 'kucoin',
    skipped: 0,
    lines: ['2 2024-01-10T09:00:00Z deposit BTC quantity=0.5 id=abc123'],
  },
  'kucoin/order_history.csv': {
    format: 'kucoin',
    skipped: 0,
    lines: [
      '2 2022-04-28T12:36:00Z trade XTZ quantity=36.4479 received_asset=USDT received_quantity=3.73590975 fee_asset=USDT fee_quantity=0.00373590975',
      '3 2022-04-28T15:46:07Z trade USDT quantity=281.1367769156898952 received_asset=XRP received_quantity=432.59183198 fee_asset=USDT fee_quantity=0.2808559209946952',
    ],
  },
  'kucoin/spot_orders_filled_uid.csv': {
    format: 'kucoin',
    skipped: 1,
    lines: [
      '2 2024-01-15T10:00:00Z trade USDT quantity=21010 received_asset=BTC received_quantity=0.5 fee_asset=USDT fee_quantity=10 id=o1',
    ],
  },
  'bittrex/order_history_2023_preamble.csv': {
    format: 'bittrex',
    skipped: 0,
    lines: [
      '6 2017-12-03T12:04:16Z trade BTC quantity=0.24999841 received_asset=SWT received_quantity=731.28354007 fee_asset=BTC fee_quantity=0.00062343 id=28445361-31c6-1ab1-91a9-e196d50ad1a5',
      '7 2017-08-13T21:32:03Z trade EDGELESS quantity=857.78221905 received_asset=BTC received_quantity=0.15525 fee_asset=BTC fee_quantity=0.00038812 id=a3a27e1a-2b6c-3b82-c275-d61e375d35a2',
    ],
  },
  'bittrex/tx_history_2023.csv': {
    format: 'bittrex',
    skipped: 0,
    lines: [
      '2 2023-03-07T07:51:43.043Z withdrawal ETH quantity=0.20084931 id=0xecac30357b613f6bcb5bc148fdd1d608bd94021e95a59233003948fde0c7c4d9',
      '3 2021-09-28T22:35:21.97Z deposit BCHA quantity=0.00000001 id=1A313456CCEA5AF45B334881513CF472',
    ],
  },
  'bitstamp/rfc4180_old.csv': {
    format: 'bitstamp',
    skipped: 1,
    lines: [
      '2 2022-01-28T00:13:00Z deposit ETH quantity=2',
      '3 2022-01-28T00:31:00Z sell ETH quantity=1 amount=2214.01 fee=10.87005 currency=EUR',
    ],
  },
  'poloniex/trade_history_2017.csv': {
    format: 'poloniex',
    skipped: 0,
    lines: [
      '2 2017-05-16T22:25:40Z trade BTC quantity=1.38802254 received_asset=XMR received_quantity=92.71284466 fee_asset=XMR fee_quantity=0.13906926 id=174231700001',
      '3 2017-04-30T17:18:31Z trade GNT quantity=7259.1866737 received_asset=BTC received_quantity=1.28995747 fee_asset=BTC fee_quantity=0.00193493 id=2776700001',
      '4 2017-02-18T20:31:28Z trade BTC quantity=0.26368623 received_asset=GNT received_quantity=7270.09181141 fee_asset=GNT fee_quantity=10.90513771 id=151600001',
      '5 2017-02-17T06:24:48Z trade XMR quantity=3.26497244 received_asset=BTC received_quantity=0.04160884 fee_asset=BTC fee_quantity=0.00006241 id=122421900001',
      '6 2017-02-12T17:35:55Z trade PASC quantity=280.80959359 received_asset=BTC received_quantity=0.10389954 fee_asset=BTC fee_quantity=0.00025974 id=3116800001',
      '7 2017-02-12T16:41:27Z trade BTC quantity=0.10321475 received_asset=PASC received_quantity=281.23144075 fee_asset=PASC fee_quantity=0.42184716 id=3112100001',
      '8 2017-02-12T16:08:11Z trade XMR quantity=10 received_asset=BTC received_quantity=0.1235 fee_asset=BTC fee_quantity=0.00018525 id=119488400001',
      '9 2017-02-11T20:21:21Z trade BTC quantity=0.1979 received_asset=XMR received_quantity=16.28940654 fee_asset=XMR fee_quantity=0.0244341 id=119073300001',
    ],
  },
  'nexo/transactions.csv': {
    format: 'nexo',
    skipped: 19,
    lines: [
      '2 2022-02-01T07:01:00Z interest amount=127.5520683 currency=GBP id=NXTZOvzs3be6e',
      '5 2022-03-22T15:52:33Z deposit MATIC quantity=3050 id=NXTGjeCTHAXxg',
      '6 2022-03-22T15:45:25Z deposit MATIC quantity=5 id=NXT9aSBjiAOjq',
      '7 2022-03-01T00:00:00Z reward NEXO quantity=0.10000001 amount=0.40174998 id=NXTabcdefghij',
      '11 2022-04-10T00:00:00Z reward BTC quantity=0.00999999 amount=99.99971452 id=NXTabcdefghij',
      '14 2022-04-13T19:15:00Z deposit USDC quantity=595.92 id=NXTigcmvsts2L',
      '16 2022-04-17T10:41:00Z buy BTC quantity=0.0017316 amount=54.00 currency=GBP id=NXTsDa2LR4Pcw',
      '19 2022-04-20T07:00:00Z interest USDC quantity=1.09246793 amount=1.09 id=NXTGWynyMmm5K',
      '20 2022-07-14T07:00:07Z interest ETH quantity=0.00178799 amount=1.98 id=NXT1isX0Refua',
      '23 2022-04-17T10:43:00Z withdrawal BTC quantity=0.0017316 id=NXTdtS1ezWxeN',
      '24 2022-04-17T10:43:00Z withdrawal BTC quantity=0.0017316 id=NXTdtS1ezWxeN',
      '27 2024-12-28T06:00:00Z interest NEXO quantity=5.37250072 amount=7.19 id=NXT5Gz0cNLEHLbYtc3xDkZ8eR',
      '28 2024-12-28T06:00:00Z interest USDC quantity=0.121798 amount=0.12 id=NXT4OTjYHHRW6xseMpUarHKKT',
      '29 2024-12-23T16:32:19Z reward USDC quantity=1.285392 amount=1.29 id=NXT44OjpCjxegVqhfHj3ZmeAa',
      '30 2024-09-24T11:08:42Z deposit USDC quantity=703.853838 id=NXT3b9DBOUE6gfcsCr14atMZx',
      '35 2024-08-23T00:05:33Z reward BTC quantity=0.00001953 amount=1.18 id=NXT5Xa0rjcaf90s3h3b5j0uZI',
      '36 2024-06-24T00:05:29Z reward BTC quantity=0.00007929 amount=5.00 id=NXT6tSqWCGWiEeOgZrG2ltm27',
      '37 2024-12-23T16:32:19Z buy USDC quantity=514.156795 amount=500.00 currency=EUR id=NXT4RYSlktqu0Ip9I4Wy2mIsv',
      '38 2023-06-07T13:50:25Z airdrop LUNA2 quantity=2.73209017 amount=2.09 id=NXT6B4juSA4oVOn7erqTuUa8D',
      '40 2022-07-01T19:03:47Z sell USDC quantity=0.169629 amount=0.17 id=NXT53Q6ioNttPkX91sNAWbbnQ',
    ],
  },
  'blockfi/trades.csv': {
    format: 'blockfi',
    skipped: 0,
    lines: [
      '2 2021-01-30T23:59:59Z trade LTC quantity=42.23878904 received_asset=USDC received_quantity=6404.6 id=dddddddd-ssdd-dddd-dsds-ddddsdssssdd',
    ],
  },
  'ledger-live/operations.csv': {
    format: 'ledger-live',
    skipped: 0,
    lines: [
      '2 2022-12-04T17:49:35Z deposit @Ethereum 1 ETH quantity=0.005 id=0xaa',
      '3 2023-01-10T08:00:00Z withdrawal @Ethereum 1 ETH quantity=0.1997 fee_asset=ETH fee_quantity=0.0003 id=0xbb',
      '4 2023-02-01T00:15:00Z staking @Ethereum 1 ETH quantity=0.01 amount=1.00 currency=EUR id=0xcc',
    ],
  },
  'trezor/trezor_suite_alice.csv': {
    format: 'trezor',
    skipped: 0,
    lines: [
      '2 2022-01-25T02:58:40Z deposit BTC quantity=0.05 id=6048ee3018b7852d93346fa82eb37645dc5014d625ef982aa823718f9238b6569a',
      '3 2022-02-09T11:45:34Z withdrawal BTC quantity=0.019 fee_asset=BTC fee_quantity=0.001 id=73085629ae85678f90238d45239815ee94237fb2340634355fac24982e245b234',
    ],
  },
  'trezor/trezor_suite_semicolon.csv': {
    format: 'trezor',
    skipped: 0,
    lines: [
      '2 2022-01-25T02:03:40Z withdrawal BTC quantity=0.05 fee_asset=BTC fee_quantity=0.0003 id=6048ee3018b7852d93346fa82eb37645dc5014d625ef982aa823718f9238b6569a',
      '3 2022-01-18T06:41:28Z withdrawal BTC quantity=0.1 fee_asset=BTC fee_quantity=0.0001 id=9237a6ed823577c528093ead63568aa25588987534bce3487ff7772ab00589218',
      '4 2022-01-14T03:23:38Z deposit BTC quantity=0.2 id=28fde44268ac826b66a7ce99a8723b8cf23a836729b1a23cb4986898ad0096bf0',
    ],
  },
  'shapeshift/trade_history_bom.csv': {
    format: 'shapeshift',
    skipped: 1,
    lines: [
      '2 2021-09-05T17:35:24Z trade USDC quantity=116.88 received_asset=ETH received_quantity=0.04550602793257411 id=092debd43022f98c02d1a7a695d19fd772dc508770301b095e93dee7f181452e',
      '4 2019-06-26T12:11:55.67Z trade DAI quantity=103.0142883 received_asset=DASH received_quantity=0.59420343 id=cf333e89a424cbe46b34be2b',
    ],
  },
  'revolut-crypto/crypto.csv': {
    format: 'revolut-crypto',
    skipped: 1,
    lines: [
      '2 2020-05-05T22:10:57Z buy BTC quantity=0.00056077 amount=50.00 currency=SEK',
      '3 2020-06-01T18:18:21Z buy BTC quantity=0.00001082 amount=1.00 currency=SEK',
      '4 2020-06-02T21:10:31Z sell BTC quantity=0.00001082 amount=0.93 currency=SEK',
      '5 2020-11-09T03:50:00Z withdrawal BTC quantity=0.00056077',
      '6 2020-11-09T03:50:00Z deposit BTC quantity=0.00056077',
      '7 2020-11-19T13:57:22Z buy BTC quantity=0.00069453 amount=108.94 currency=SEK',
      '8 2022-03-08T14:08:54Z buy BTC quantity=0.00027963 amount=10.00 fee=0.24 currency=EUR',
      '10 2024-02-09T09:46:02Z buy ETH quantity=0.00431791 amount=10.00 fee=0.14 currency=EUR',
      '11 2025-01-15T00:23:31Z staking ETH quantity=0.00002061',
      '12 2025-01-16T00:02:16Z staking ETH quantity=0.00004274',
      '13 2025-01-17T00:43:29Z staking ETH quantity=0.0000478',
      '14 2025-05-09T10:03:50Z buy BTC quantity=0.00009518 amount=10.00 fee=0.24',
    ],
  },
};
