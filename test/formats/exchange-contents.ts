/** What the rows of further fixtures say, checked by hand against the files: exchanges, wallets and explorers of coins. */
export const exchangeContents: Readonly<Record<string, readonly string[]>> = {
  bybit: [
    '4+5 2026-01-10T10:00:00Z trade USDT quantity=400 received_asset=BTC received_quantity=0.01 fee_asset=BTC fee_quantity=0.00001 id=t1',
    '6+7 2026-01-11T10:00:00Z trade ETH quantity=0.5 received_asset=USDC received_quantity=1500 fee_asset=USDC fee_quantity=1.5 id=t2',
    '8+9 2026-01-12T10:00:00Z buy SOL quantity=2 amount=220.00 fee=0.22 currency=EUR fee_asset=SOL fee_quantity=0.002 id=t3',
    '10 REJECTED Type: unknown_type',
    '11 REJECTED Type: unknown_type',
    '12 REJECTED Contract: unpaired',
    '13 2026-01-15T10:00:00Z airdrop GIFT quantity=12',
    '14 REJECTED Type: unknown_type',
    '15 REJECTED Fee Paid: negative',
    '16 REJECTED Contract: unpaired',
  ],
  bitpanda: [
    '5 2026-01-05T08:05:00Z buy BTC quantity=0.01 amount=500.00 fee=5.00 currency=EUR asset_class=crypto id=T2',
    '6 2026-01-06T08:05:00Z buy ETH quantity=0.1 amount=200.00 fee=2.00 currency=EUR asset_class=crypto id=T3',
    '7 2026-02-05T08:05:00Z sell BTC quantity=0.005 amount=275.00 fee=0.50 currency=EUR asset_class=crypto id=T4',
    '8 2026-02-06T08:05:00Z buy ADA quantity=10 amount=100.00 asset_class=crypto id=T5',
    '9 2026-02-07T08:05:00Z buy XAU quantity=1 amount=150.00 currency=EUR id=T6',
    '10 2026-02-08T08:05:00Z withdrawal ETH quantity=0.05 fee_asset=ETH fee_quantity=0.001 asset_class=crypto id=T7',
    '11 2026-02-09T08:05:00Z reward ADA quantity=0.5 amount=0.20 currency=EUR asset_class=crypto id=T8',
    '13 REJECTED Transaction Type: unknown_type',
    '14 REJECTED Asset class: unknown_type',
    '15 2026-02-13T08:05:00Z sell BTC quantity=0.001 amount=90.00 currency=EUR fee_asset=BEST fee_quantity=0.1 asset_class=crypto id=T12',
    '16 2026-02-14T08:05:00Z deposit DOT quantity=2 asset_class=crypto id=T13',
  ],
};
