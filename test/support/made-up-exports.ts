/** Made-up rows in the shapes of three sources. */
export const madeUpExports = {
  'schwab.csv': `"Transactions  for account Individual ...321 as of 12/31/2024 10:00:00 ET"
"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"11/20/2024","Sell","ACME","ACME CORP","10","$45.00","$0.04","$449.96"
"03/04/2024","Buy","ACME","ACME CORP","10","$40.00","","-$400.00"
`,
  'coinbase.csv': `
Transactions
User,Pat Example,11111111-2222-3333-4444-555555555555
ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes,Sender Address,Recipient Address
c-2,2024-06-09 18:00:00 UTC,Sell,ETH,-0.5,USD,"$3,000.00",-$1500.00,-$1490.00,$10.00,,,
c-1,2024-02-09 18:00:00 UTC,Buy,ETH,0.5,USD,"$2,000.00",$1000.00,$1010.00,$10.00,,,
`,
  'robinhood.csv': `"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"
"5/7/2024","5/7/2024","5/9/2024","GRID","Grid Co
CUSIP: 000000000","Sell","3","$61.00","$183.00"
"4/2/2024","4/2/2024","4/4/2024","GRID","Grid Co
CUSIP: 000000000","Buy","3","$50.00","($150.00)"
`,
} as const;
