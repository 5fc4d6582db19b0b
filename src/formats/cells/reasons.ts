import type { RowIssue } from '../format.ts';
import { describeCurrencyConflict } from './currency-signs.ts';

/** Why a row is rejected: a code of the API and a sentence. `manual` is set if editing the cells does not help. */
export type Rejection = Pick<RowIssue, 'code' | 'reason' | 'manual'>;

/** A sentence without its final period, because callers add it. `manual` asks the user to enter the transaction. */
type Sentence = string | { readonly manual: string };

type Rejections<Sentences> = {
  readonly [Name in keyof Sentences]: Sentences[Name] extends (...values: infer Values) => Sentence
    ? (...values: Values) => Rejection
    : Rejection;
};

/** Returns the rejections of one code. A sentence that depends on values is a function of them. */
function withCode<const Sentences extends Record<string, Sentence | ((...values: never[]) => Sentence)>>(
  code: string,
  sentences: Sentences,
): Rejections<Sentences> {
  const reject = (sentence: Sentence): Rejection =>
    typeof sentence === 'string' ? { code, reason: sentence } : { code, reason: sentence.manual, manual: true };
  const entries = Object.entries(sentences).map(([name, sentence]) => [
    name,
    typeof sentence === 'function' ? (...values: never[]) => reject(sentence(...values)) : reject(sentence),
  ]);
  return Object.fromEntries(entries) as Rejections<Sentences>;
}

/** Every sentence that rejects a row, by its code. */
export const rejections = {
  ...withCode('missing', {
    requiredHere: 'Required for this type of row',
    assetMissing: 'The asset is missing',
    amountMissing: 'The amount is missing',
    dateMissing: 'The date is missing',
    typeMissing: 'The type is missing',
    zeroAmount: 'The amount is zero',
    quantityWithoutAsset: 'The asset of this quantity is missing',
    requiredForFill: 'Required for a fill',
    taxYearMissing: 'A total needs its tax year',
    unitsBeforeName: 'The quantity is missing. Write it before the name, like 0.5 BTC',
    codeUnclear: 'The code does not show whether this opens or closes a position',
    positionPriceMissing: 'A price for this position is missing',
    quantityAndAmountMissing: 'This row has neither a quantity nor an amount',
    nothingMoved: 'Nothing was sent or received',
    expirationMissing: 'The expiration date of this option is missing',
    rightMissing: 'The row does not show whether this is a call or a put',
    sideMissing: 'The row does not show whether it is a purchase or a sale',
    ratioMissing: 'The ratio of this split is missing',
  }),
  ...withCode('unreadable', {
    unreadableRow: 'This row cannot be read',
    conversionUnclear: 'The note does not show what this was converted to',
  }),
  ...withCode('malformed_cell', {
    malformedCell: 'Text follows a closing quote, so it is unclear where this cell ends',
  }),
  ...withCode('too_many_cells', {
    tooManyCells: 'This line has more cells than the header. Put quotes around numbers and text that contain commas',
  }),
  ...withCode('too_long', {
    tooLong: (charactersMax: number) => `This has more than ${charactersMax.toLocaleString('en-US')} characters`,
  }),
  ...withCode('too_large', {
    valueTooLarge: 'The value is too large',
    tooLarge: (value: string, limit: string) => `The ${value} is too large: ${limit}`,
  }),
  ...withCode('too_many_digits', {
    tooManyDigits: ({ kind, digits, decimals }: { readonly kind: string; digits: number; decimals: number }) =>
      `${kind === 'money' ? 'An amount' : 'A quantity'} has at most ${digits} digits before the decimal point and ${decimals} after it`,
  }),
  ...withCode('bad_number', {
    unreadableNumber: (kind: 'money' | 'quantity') =>
      `This is not ${kind === 'money' ? 'an amount' : 'a quantity'} we can read`,
    unreadablePrice: 'This is not a price we can read',
    unreadableRatio: 'This is not a ratio we can read',
    satoshiNotWhole: 'This is not a whole number of satoshi',
    commentWithoutPrice: 'The comment has no price',
    otherSideUnclear: 'The row does not show the other side',
    amountAndUnitUnclear: 'This is not an amount with a sign and a unit',
  }),
  ...withCode('bad_ratio', {
    zeroRatio: 'Only a spin-off can have a ratio of zero',
    lotbookRatio: 'Write a ratio like 3:1 or 0.7',
  }),
  ...withCode('bad_lots', {
    lotbookLots: 'Write lots like b3:10;b1:5: the id of the opening row, then the quantity',
  }),
  ...withCode('unknown_word', {
    unknownWord: (words: readonly string[]) => `This must be one of: ${words.join(', ')}`,
  }),
  ...withCode('not_positive', {
    notPositive: 'This must be more than zero',
    quantityNotPositive: 'The quantity must be more than zero',
  }),
  ...withCode('negative', {
    negativeValue: 'A quantity, cost basis or disallowed loss cannot be negative',
    negativeHere: 'This cannot be negative. The type sets the direction',
    negativeIncome: { manual: 'This income is negative. Enter it manually' },
    cameInstead: 'The type is for units sent, but the row has units received. Check the type',
    leftInstead: 'The type is for units received, but the row has units sent. Check the type',
    feeAboveTotal: 'The fee is more than the total',
    feePaidOut: { manual: 'This fee was paid to you as a rebate. Enter this trade manually' },
    rebateInOtherAsset: { manual: 'The rebate is in a different asset. Enter this trade manually' },
    paidOrReceivedUnclear: {
      manual: 'It is not clear whether this was paid or received. Enter this trade manually',
    },
  }),
  ...withCode('bad_sign', {
    signContradicts: 'The sign contradicts the type of the row',
    signAgainstDescription: { manual: 'The sign does not match the description. Enter it manually' },
  }),
  ...withCode('ambiguous_sign', {
    taxSignUnclear: {
      manual: 'The signs in this file do not show whether this tax was withheld or refunded. Enter it manually',
    },
    feeSignUnclear: 'Earlier fees have the opposite sign, so it is not clear whether this one was paid or received',
  }),
  ...withCode('ambiguous_tax', {
    taxOnPurchase: {
      manual:
        'Tax on a purchase may be a cost or a withholding. Map it as a fee, or ignore this column and enter it manually',
    },
    taxOnIncome: {
      manual: 'It is not clear whether the amount is before or after this tax. Enter the row manually',
    },
  }),
  ...withCode('money_left', {
    moneyLeft: { manual: 'This type of row cannot have an amount, but this row has one. Enter it manually' },
    twoFees: { manual: 'The row has two fees. Enter it manually' },
    taxAssetMissing: { manual: 'The row does not name the asset of this tax. Enter it manually' },
    cashOfSoldShares: {
      manual: 'The cash in a release comes from shares that were sold. Enter the sale manually',
    },
  }),
  ...withCode('bad_date', {
    unreadableDate: 'This is not a date between 1900 and 2100 that we can read',
    unreadableTime: 'This is not a date or time we can read',
    lotbookDate: 'Write a date like YYYY-MM-DD, YYYY-MM-DD HH:MM:SS or in RFC 3339 format',
    asOfTooFar: 'The date after "as of" is not within the year before the row\'s own date',
    notEpoch: 'This is not a number of seconds or milliseconds since 1970',
    notMicroseconds: 'This is not a number of microseconds since 1970',
    notDays: 'This is not a number of days since 1900',
    closedBeforeOpened: 'The closing date is before the opening date',
  }),
  ...withCode('bad_zone', {
    notZone: 'This is not a time zone',
    notZoneLikeNewYork: 'This is not a time zone like America/New_York',
    unknownHeaderZone: "The time zone in this column's header is unknown",
  }),
  ...withCode('ambiguous_column', {
    columnsDiffer: (name: string) => `Several columns are named "${name}", and their values differ`,
    twoAccounts: 'The row names two accounts',
    inAndOut: 'This row has both money in and money out',
  }),
  ...withCode('amounts_differ', {
    debitAndCredit: 'A row must have either a debit or a credit',
    orderValueDiffers: { manual: 'No quantity times the price equals the value of this order. Enter it manually' },
  }),
  ...withCode('gain_disagrees', {
    gainDiffers: (stated: string, computed: string) =>
      `The row has a gain of ${stated}, but its prices give ${computed}`,
  }),
  ...withCode('value_disagrees', {
    valueDiffers: 'This value is not price times units',
  }),
  ...withCode('value_missing', {
    costMissing: { manual: 'The file does not show what this crypto cost. Enter it manually' },
  }),
  ...withCode('bad_currency', {
    malformedCurrency: 'A currency has three letters, like USD',
    currencyConflict: describeCurrencyConflict,
    inOtherCurrency: (stated: string, currency: string) => `This amount is in ${stated}, but the row is in ${currency}`,
    unitNotMentioned: (unit: string) => `This number is in ${unit}, which the rest of the row does not mention`,
    unitNotOfHeader: (unit: string, header: string) => `This number is in ${unit}, but the header is for ${header}`,
    quantityWithCurrency: 'A quantity cannot have a currency sign',
    signOfOtherCurrency: 'The amount has a currency sign that is unknown or differs from the currency of the row',
    valueInOtherCurrency: 'The currency sign of the value is for a different currency',
    signUnclear: 'It is not clear which currency this sign means',
    minorUnits: 'These amounts are in pence or cents. Convert them to whole units of the currency',
    currencyNotShown: 'The file does not show the currency',
    notCurrency: { manual: 'This is not a currency. Enter the deposit manually' },
    notCurrencyMoved: { manual: 'This is not a currency. Enter the deposit or withdrawal manually' },
  }),
  ...withCode('unknown_currency', {
    baseCurrencyMissing: 'The file does not show its base currency',
    priceCurrencyMissing: 'The prices have no currency. Add one to the file',
  }),
  ...withCode('currency_exchange', {
    currencyExchange:
      'This exchanges one currency for another. Its gain is ordinary income (IRC 988). Map the realized gain to "gain", or skip these rows if there is none',
  }),
  ...withCode('bad_unit', {
    unknownLotSize: 'The lot size of this symbol is unknown',
    feeNotInUnitOfColumn: 'The fee is in a different unit than its column',
    notInUnitOfRow: 'This number is in a different unit than the row',
    notInAssetOfRow: 'This value is not in the asset of the row',
  }),
  ...withCode('unknown_multiplier', {
    unknownMultiplier: 'The dollar value per point of this future is unknown. Set it in "multipliers"',
    otherMultiplier: 'The multiplier does not match this symbol',
  }),
  ...withCode('unknown_symbol', {
    shareOrFuture: 'This symbol can be a share or a future',
    notOption: 'This is not an option ticker',
  }),
  ...withCode('fee_currency', {
    feeCurrencyMissing: 'The currency of the fee is missing',
    feeInCrypto: 'The fee is in crypto',
    feeNotInCurrencyOfRow: 'The fee is in a different currency than the row',
    feeNotInCurrencyOfTrade: 'The fee is in a different currency than the trade',
    feeInOtherCurrency: { manual: 'The fee is in a different currency than the trade. Enter it manually' },
    feesInTwoUnits: 'The fees are in two different units',
    feeAboveAmount: 'The fee is more than the amount, so it must be in a different asset',
  }),
  ...withCode('unclear_fee', {
    feeMayBeIncluded: { manual: 'It is not clear whether the amount includes this fee. Enter it manually' },
    feeAssetMissing: { manual: 'The row does not name the asset of this fee. Enter it manually' },
    tradeFeeAssetMissing: { manual: 'The row does not name the asset of this fee. Enter this trade manually' },
    financing: {
      manual:
        'Swap and rollover charges are not part of a gain on shares. Ignore this column and enter the interest manually',
    },
  }),
  ...withCode('bad_option', {
    noOptionNamed: 'The row does not name an option',
    unreadableOption: 'This looks like an option symbol that we cannot read',
    lotbookOption: 'Write an option like AAPL 2025-01-17 C 150, or fill in "underlying" and "right"',
  }),
  ...withCode('unknown_asset', {
    titleMissing: 'The title that names the security is missing from the file',
    coinMissing: 'The file does not name the coin, and the address does not show it',
  }),
  ...withCode('unknown_address', {
    ownAddressUnclear: { manual: 'It is not clear which address is yours. Enter it manually' },
  }),
  ...withCode('unknown_pair', {
    pairUnclear: 'The two sides of this pair are not clear',
    quoteUnclear: 'It is not clear which side of this pair is the quote',
    unitNotOfPair: 'This unit does not match the pair',
    unitsNotOfPair: 'The units of the amounts do not match the pair',
  }),
  ...withCode('same_asset', {
    sameAsset: { manual: 'The same asset was sent and received. Enter it manually' },
    moreReceivedThanSent: { manual: 'More was received than was sent. Enter it manually' },
  }),
  ...withCode('unpaired', {
    legsMissing: 'Some legs of this trade are missing from the file',
    oneSentOneReceived: 'A trade needs one amount sent and one received',
    sameOnBothSides: 'Both sides are the same asset',
    bothSidesNeeded: 'A row of this type needs both sides',
    assetsUnclear: { manual: 'It is not clear which asset paid for which. Enter these manually' },
    otherHalfMissing: (trade: string) => `The other half of ${trade} is missing from the file`,
    severalAssets: (trade: string, given: number, received: number) => ({
      manual: `${trade} has ${given} assets sent and ${received} received. Enter it manually`,
    }),
    otherAssetInComment: 'The comment and the row name different assets',
    otherAssetInDescription: 'The description names a different asset than the row',
    assetNotInDetail: 'The detail does not name the asset traded for this amount',
    swapUnclear: 'It is not clear which rows belong to this swap',
    directionUnclear: 'It is not clear whether this was received or sent',
    feeUnclear: 'It is not clear which of these is the fee',
    receivedMissing: 'This layout does not show the units received in an exchange',
    balanceDiffers: 'The amount and the fee do not add up to the change in balance',
    eventMissing: 'The event that these details belong to is missing',
    splitHalfMissing: 'The other half of this split is missing from the file',
    splitRowMissing: 'The other row of this split is missing, so its ratio is unknown',
    tooManyActions: 'The file has too many corporate actions. Split the file',
    actionRowsUnclear: (lines: string) => ({
      manual: `It is not clear which rows of this corporate action belong together (${lines}). Enter it manually`,
    }),
    actionRowMissing: (row: string, days: number) => ({
      manual: `${row} was not found within ${days} days. Enter the corporate action manually`,
    }),
  }),
  ...withCode('ambiguous_split', {
    newSharesUnclear: 'It is not clear which number of this ratio is the new shares',
    splitQuantityUnclear: (units: string) =>
      `${units} may be the ratio of the split (${units} shares for each one) or the number of shares added. Set what the split quantity is`,
  }),
  ...withCode('incomplete_action', {
    incompleteAction: (what: string) => ({ manual: `${what}. Enter it manually` }),
    actionTermsMissing: { manual: 'The terms of this corporate action are missing. Enter it manually' },
    distributionTermsMissing: { manual: 'The terms of this distribution are missing. Enter it manually' },
    mergerTermsMissing: { manual: 'The terms of this merger are missing. Enter it manually' },
    fractionMissing: { manual: 'The fraction of a share sold for this cash is missing. Enter it manually' },
    fractionAmountMissing: { manual: 'The amount paid for this fractional share is missing. Enter it manually' },
    reverseSplitRows: {
      manual: 'A reverse split needs one row for the old shares and one for the new shares. Enter it manually',
    },
    cashOrSharesUnclear: 'It is not clear whether this amount is cash or the value of the shares',
    adjustedContract: {
      manual:
        'An adjusted contract does not deliver 100 shares, and its deliverable is not in the file. Enter it manually',
    },
    allocationMissing: (parent: string, shares: string) => ({
      manual: `A spin-off needs the issuer's basis allocation (Form 8937): the share of the basis of ${parent} that goes to ${shares}. Enter it manually`,
    }),
  }),
  ...withCode('unknown_section', {
    notOfStatement: 'This is not a line of a statement',
    sectionWithoutHeader: (section: string) => `Section "${section}" has no header`,
    unknownSection: (section: string) => `Section "${section}" is unknown`,
  }),
  ...withCode('unread_section', {
    sectionNotImported: {
      manual: 'This section of the query is not imported. Enter its transactions manually',
    },
    executionsMissing: 'The query has no executions. Select "Executions" in the options of its trades',
    tradesSectionMissing: 'Trades in the statement of funds are not imported. Add the section "Trades" to the query',
  }),
  ...withCode('unknown_state', {
    completionUnclear: 'It is not clear from this word whether the transaction was completed',
    undoneInNote: 'The note suggests that this was canceled or failed. Does the row count?',
  }),
  ...withCode('canceled', {
    cancelsTrade: { manual: 'This cancels a trade. Delete both manually' },
  }),
  ...withCode('unknown_type', {
    unknownType: 'Unknown transaction type',
    unknownAction: 'Unknown action',
    unknownActivity: 'Unknown activity',
    unknownCategory: 'Unknown category',
    unknownDirection: 'Unknown direction',
    unknownTransaction: 'Unknown transaction',
    unknownCashMovement: 'Unknown cash movement',
    unknownOptionActivity: 'Unknown option activity',
    unknownLeg: 'Unknown type of leg',
    unknownCode: (code: string) => `"${code}" is an unknown transaction code`,
    unmappedWord: 'The mapping has no type for this word',
    notImported: (type: string) => ({ manual: `"${type}" is not imported. Enter it manually` }),
    unexplained: (type: string) => ({ manual: `"${type}" does not show what happened. Enter it manually` }),
    unrecognizedMovement: { manual: 'This type of movement is not recognized. Enter it manually' },
    neitherDepositNorWithdrawal: 'This is neither a deposit nor a withdrawal',
    neitherPurchaseNorSale: 'This is neither a purchase nor a sale',
    neitherLongNorShort: 'This is neither a long nor a short position',
    notSellOrSummary: 'This is neither Sell nor Summary',
    notDepositOrWithdraw: 'This is neither DEPOSIT nor WITHDRAW',
    notSentOrReceived: 'This is neither Sent nor Received',
    notReceivedSentOrSelf: 'This is not RECV, SENT or SELF',
    notBuySellOrShort: 'This is not Buy, Sell or Short',
    oneSideOnly: 'A row of this type can have only one side',
    oneAmountNeeded: 'A row must have one amount that is not zero',
    inAndOutUnits: { manual: 'The row has both units received and units sent. Enter each manually' },
    chainMissing: 'The file does not name the chain of this coin',
    commentUnclear: 'The comment does not show both sides of the trade',
    unfilledAmounts: 'Only filled orders show the traded amounts',
    sharesUnexplained: { manual: 'The row does not explain why these shares moved. Enter it manually' },
    sharesWithoutAmount: 'These shares moved without an amount, and the row does not explain why',
    paymentUnexplained: { manual: 'The row does not show what this payment is for. Enter it manually' },
    payoutUnexplained: { manual: 'The row does not show why this was paid out. Enter it manually' },
    earningUnclear: { manual: 'The row does not name the asset, or whether it was earned. Enter it manually' },
    assetOrContractUnclear: 'It is not clear whether this is the asset itself or a contract on it',
    opensOrClosesUnclear: 'It is not clear whether this opens or closes a position',
    contractsUnclear: { manual: 'It is not clear whether this opens or closes a position. Enter it manually' },
    contractsNotInTable:
      'This table does not show whether an option trade opens or closes a position. Use the activity statement',
    shortCostUnclear: 'The cost of closing this short position is not clear',
    orderClosesAndOpens: { manual: 'This order closes a position and opens the opposite one. Split it manually' },
    tradeClosesAndOpens: { manual: 'This trade closes a position and opens the opposite one. Split it manually' },
    tooManyContracts: 'The file has too many option trades to match. Split the file',
    accruedElsewhere: {
      manual: 'Only a purchase or sale of a bond can have accrued interest. Enter this row manually',
    },
    taxedPaymentUnclear: {
      manual: 'The row does not show which payment this tax was withheld from. Enter it manually',
    },
    taxMayBeIncluded: { manual: 'It is not clear whether the amount includes this tax. Enter it manually' },
    washSalesOnly: { manual: 'Only wash sale adjustments (W) are imported. Enter it manually' },
    marginGains: { manual: 'Margin and futures gains are not imported. Enter them manually' },
    marginTrade: { manual: 'Margin trades are not imported. Enter the realized gain or loss manually' },
    marginAndLoans: { manual: 'Loans, margin and futures are not imported. Enter them manually' },
    futures: { manual: 'Futures are not imported. Enter their gains manually' },
    futuresAndOptions: { manual: 'Futures and options on futures are not imported. Enter them manually' },
    contractsForDifference: { manual: 'Contracts for difference are not imported. Enter the gain manually' },
    assetClassNotImported: 'This asset class is not imported',
    assetClassManual: { manual: 'This asset class is not imported. Enter it manually' },
    tableNotImported: { manual: 'This table of the report is not imported. Enter it manually' },
    fundsWithoutDetail:
      'The statement of funds has too little detail for this. Add the section with its name to the query',
    valuesMissing: { manual: 'The file does not include everything this needs. Enter it manually' },
    actionManual: { manual: 'The terms of this corporate action are missing. Enter it manually' },
    sharesMissing: { manual: 'The row has an amount per share but no number of shares. Enter it manually' },
    pricePaidMissing: { manual: 'The price paid for this is not in the file. Enter the purchase manually' },
    depositCostMissing: {
      manual: 'The file does not show the cost of this deposit. Enter the purchase manually',
    },
    swapSideMissing: { manual: 'The other side of this swap is missing. Enter it manually' },
    successorSwap: { manual: 'This swaps an asset for its successor. Enter a rename or a trade manually' },
    reversedWithdrawal: { manual: 'This reverses a withdrawal. Delete the withdrawal and its fee manually' },
    toSpouse: { manual: 'This is a transfer to a spouse. Enter it manually' },
    unclassified: { manual: 'StakeTax did not classify this. Enter it manually' },
  }),
};

/** Every sentence that explains why a row is skipped. */
export const skips = {
  accountName: 'Account name',
  brokerNote: 'Note from the broker',
  headerRow: 'Header row',
  sectionHeader: 'Section header',
  totalRow: 'Total row',
  titleOrTotal: 'Title or total row',
  titleOrNote: 'Title or note row',
  titleOrHeader: 'Title or header row',
  titleNoteOrTotal: 'Title, note or total row',
  totalOfOtherForm: 'Total of another form',
  titleOrTotalOfOtherForm: 'Title or total of another form',
  balanceRow: 'Balance row',
  deletedRow: 'Deleted row',
  endOfFile: 'End of the file',
  otherTable: 'Another table',
  queryMarker: 'Marker of the query',
  continuedOrderId: 'Continuation of an order ID',
  sectionWithoutTransactions: 'This section has no transactions',
  sectionEmpty: (section: string) => `Section "${section}" has no transactions`,
  ignored: 'Marked as ignored',
  ignoredInTracker: 'Marked as ignored in the tracker',
  skippedByMapping: (word: string) => `The mapping skips "${word}"`,
  statusOf: (status: string) => `The status is "${status}"`,
  zeroAmount: 'The amount is zero',
  nothingMoved: 'Nothing moved',
  nothingAtAddress: 'Nothing moved at this address',
  cashMoved: 'Cash movements are not imported',
  cashFeePaid: 'Cash fees are not part of a gain',
  cashInterestAndFees: 'Interest and fees in cash are not part of a gain',
  chargedInterest: 'Interest charged is not part of a gain',
  cashSweep: "Cash sweep to or from the account's fund",
  cashFund: 'Cash fund activity',
  ownCashTransfer: 'Cash transfer between your own accounts',
  currencyExchanged: 'Currency exchanges are not imported',
  currencyPositionOpened: 'Opening of a currency position',
  notTaxable: (kind: 'deposit' | 'withdrawal', currency: string) => `A ${kind} of ${currency} is not a gain or loss`,
  currencyMoved: (currency: string) => `A movement of ${currency} is not a gain or loss`,
  currencySpent: (currency: string) => `Spending ${currency} is not a gain or loss`,
  loan: 'Taking out, spending or repaying a loan is not a gain or loss',
  movedWithinAccount: 'Transfer within the account',
  movedWithinPlatform: 'Transfer within the platform',
  movedWithinWallet: 'Transfer within the wallet',
  movedToSameAddress: 'Transfer to the same address',
  movedWithinCoinbase: 'Transfer within Coinbase',
  movedWithinKraken: 'Transfer within Kraken',
  movedWithinCryptoCom: 'Transfer within Crypto.com',
  feeCredits: 'Kraken fee credits are not an asset',
  reserved: 'Reserved, not moved',
  stakedEther: 'ETH2 is staked ETH, so nothing was sold',
  notAnAsset: 'Not an asset that can be bought or sold',
  namelessNft: 'This NFT has no name. Enter it manually',
  sameShares: 'Same shares under a new CUSIP; nothing changes',
  canadianAdjustment: 'Adjustment under Canadian law',
  orderNotFilled: 'The order was not filled',
  orderNotFinished: 'The order is not finished',
  orderCanceled: 'The order was canceled',
  tradeNotCompleted: 'The trade was not completed',
  transferNotCompleted: 'The transfer was not completed',
  transferFailed: 'The transfer failed',
  transactionNotCompleted: 'The transaction was not completed',
  transactionNotConfirmed: 'The transaction was not confirmed',
  transactionRejected: 'The transaction was rejected',
  pending: 'Pending; included when it settles',
  notSettled: 'Not settled yet; included in a later export',
  orderOfFills: 'Order with separate rows for its fills',
  summaryOfRows: 'Summary of other rows',
  networkFeeOnly: 'Network fee only; it has its own row',
  inTradesFile: 'Included in the trades file',
  inOtherFiles: 'Included in the orders, deposits and withdrawals files',
  inExecutions: 'Included in the executions',
  inDetails: 'Included in the details',
  inPaymentCurrency: 'Included in the row in the currency of the payment',
  inCashTransactions: 'Included in the cash transactions',
  inTrades: 'Included in the trades',
  inOrder: 'Included in its order',
  inAction: 'Included in its corporate action',
  inTransferRow: 'Included in the complete row of this transfer',
  inOtherSplitRow: 'Included in the other row of this split',
  inCashTable: 'Included in the cash table',
} as const;

/** A warning about a row that is imported. */
export const grossNotNetAndFee = 'the gross amount does not equal the net amount plus the fee';
