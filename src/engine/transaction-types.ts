import type { TransactionTypeRow } from './transaction-type-row.ts';

const fees = ['fee', 'fee_asset', 'fee_quantity', 'fee_own'] as const;
const choice = ['lots', 'identified_at'] as const;
const contract = ['underlying', 'right', 'shares'] as const;

const result = ['stated_gain'] as const;
const debt = ['maturity', 'accrued_interest'] as const;

const bought = { needs: ['asset', 'quantity', 'amount'], uses: [...fees] } as const;
const sold = { needs: ['asset', 'quantity', 'amount'], uses: [...fees, ...choice, ...result] } as const;
const optionTrade = { needs: ['asset', 'quantity', 'amount'], uses: [...fees, ...choice, ...contract] } as const;
const optionClosing = { ...optionTrade, uses: [...optionTrade.uses, ...result] } as const;
const withoutProceeds = { needs: ['asset', 'quantity'], uses: ['fmv', ...fees, ...choice] } as const;
const spent = { needs: ['asset', 'quantity'], uses: ['amount', ...fees, ...choice] } as const;
// `fmv` matters if a tax-advantaged account distributes the units.
const moved = { needs: ['asset', 'quantity'], uses: ['amount', 'fmv', ...fees, ...choice] } as const;
const cashOfAsset = { needs: ['amount'], uses: ['asset', 'fee'] } as const;
// If the source does not know the value, it stays empty, and the engine raises an issue.
const incomeInKind = {
  needs: [],
  uses: ['asset', 'quantity', 'amount', ...fees],
  lots: 'opens',
  marketValue: 'amount',
  basisAnswer: 'amount',
} as const;

/**
 * The types of transactions. Everything that depends on the type of a transaction is in its row here, except the rule
 * itself (`events/events.ts` and `rules/`). `typesWhere` selects sets of types.
 */
export const transactionTypeTable = {
  buy: {
    ...bought,
    uses: [...fees, ...debt],
    lots: 'opens',
    tradeFee: 'joins_cost',
    side: 'buy',
    marketValue: 'amount',
    basisAnswer: 'amount',
  },
  sell: {
    ...sold,
    uses: [...fees, ...choice, ...debt, 'market_discount', ...result],
    lots: 'disposes',
    tradeFee: 'lessens_proceeds',
    side: 'sell',
    marketValue: 'amount',
    datedByAnswer: true,
  },
  trade: {
    needs: ['asset', 'quantity', 'received_asset', 'received_quantity'],
    uses: ['amount', ...fees, ...choice, ...result],
    lots: 'exchanges',
    tradeFee: 'lessens_proceeds',
    marketValue: 'amount',
  },
  transfer: {
    needs: ['asset', 'quantity', 'to_account'],
    uses: ['fmv', ...fees, ...choice],
    lots: 'moves',
    marketValue: 'fmv',
    askedValue: 'fmv',
    datedByAnswer: true,
  },
  deposit: {
    ...moved,
    lots: 'moves',
    marketValue: 'fmv',
    askedValue: 'fmv',
    basisAnswer: 'basis',
    datedByAnswer: true,
  },
  withdrawal: {
    ...moved,
    lots: 'moves',
    isOutgoing: true,
  },
  short_sell: {
    ...bought,
    lots: 'opens_short',
    tradeFee: 'lessens_proceeds',
    side: 'sell',
  },
  cover: {
    ...sold,
    lots: 'closes_short',
    tradeFee: 'joins_cost',
    side: 'buy',
  },
  buy_to_open: {
    ...optionTrade,
    lots: 'opens',
    tradeFee: 'joins_cost',
    side: 'buy',
    isOption: true,
    basisAnswer: 'amount',
  },
  sell_to_open: { ...optionTrade, lots: 'opens_short', tradeFee: 'lessens_proceeds', side: 'sell', isOption: true },
  buy_to_close: { ...optionClosing, lots: 'closes_short', tradeFee: 'joins_cost', side: 'buy', isOption: true },
  sell_to_close: { ...optionClosing, lots: 'disposes', tradeFee: 'lessens_proceeds', side: 'sell', isOption: true },
  // The amount is the cash paid if the option expires in the money.
  expire: {
    needs: ['asset', 'quantity'],
    uses: ['amount', 'fee', ...contract, ...choice, ...result],
    lots: 'ends_option',
    isOption: true,
  },
  exercise: { ...optionTrade, lots: 'ends_option', isOption: true },
  assign: { ...optionTrade, lots: 'ends_option', isOption: true },
  dividend: {
    ...incomeInKind,
    onlySecurities: true,
    income: { title: 'Dividends', name: 'dividends' },
  },
  interest: {
    ...incomeInKind,
    income: { title: 'Interest', name: 'interest' },
  },
  staking: {
    ...incomeInKind,
    income: { title: 'Staking rewards', name: 'staking rewards' },
  },
  mining: {
    ...incomeInKind,
    income: { title: 'Mining', name: 'mining' },
    isPurchase: true,
  },
  airdrop: { ...incomeInKind, income: { title: 'Airdrops', name: 'airdrops' } },
  reward: {
    ...incomeInKind,
    income: { title: 'Rewards', name: 'rewards' },
  },
  // The price paid is the amount, and the value on the purchase date is `fmv` (Form 3922 boxes 5 and 4).
  espp_purchase: {
    ...bought,
    uses: ['fee', 'fmv', 'offered', 'discount'],
    lots: 'opens',
    tradeFee: 'joins_cost',
    side: 'buy',
    basisAnswer: 'amount',
    income: { title: 'Employee stock purchase plans', name: 'income from employee stock purchase plans' },
    isPurchase: true,
    onlySecurities: true,
  },
  wages: { ...incomeInKind, income: { title: 'Wages and services', name: 'wages' }, isPurchase: true },
  other_income: { ...incomeInKind, income: { title: 'Other income', name: 'other income' }, isPurchase: true },
  reinvest: {
    ...bought,
    lots: 'opens',
    tradeFee: 'joins_cost',
    marketValue: 'amount',
    basisAnswer: 'amount',
    income: { title: 'Reinvested dividends', name: 'reinvested dividends' },
    isPurchase: true,
    onlySecurities: true,
  },
  withholding: {
    ...cashOfAsset,
    lots: 'none',
    income: { title: 'Tax withheld', name: 'tax withheld' },
    isWithheld: true,
  },
  split: {
    needs: ['asset'],
    uses: ['ratio', 'quantity', 'amount', 'fee'],
    lots: 'changes',
    everyAccount: true,
  },
  rename: { needs: ['asset', 'received_asset'], uses: [], lots: 'changes', joinsBooks: true, everyAccount: true },
  spinoff: {
    needs: ['asset', 'received_asset', 'received_quantity', 'ratio'],
    uses: [],
    lots: 'changes',
    joinsBooks: true,
    everyAccount: true,
  },
  merger: {
    // Without a received asset, the merger is for cash alone.
    needs: ['asset'],
    uses: ['received_asset', 'ratio', 'received_quantity', 'amount', 'fmv', 'fee'],
    lots: 'changes',
    joinsBooks: true,
    everyAccount: true,
  },
  return_of_capital: {
    needs: ['asset', 'amount'],
    uses: ['fee'],
    lots: 'changes',
    onlySecurities: true,
    notOnForm1099:
      'Form 1099-DIV, not Form 1099-B, reports a distribution. The amount above the basis counts as a sale.',
  },
  bond_amortization: {
    needs: ['asset', 'amount'],
    uses: ['fee'],
    lots: 'changes',
    onlySecurities: true,
  },
  // The amount for a year or a part of it, as reported on Form 1099-OID. No cash is paid.
  original_issue_discount: {
    needs: ['asset', 'amount'],
    uses: [],
    lots: 'changes',
    onlySecurities: true,
    income: { title: 'Original issue discount', name: 'original issue discount' },
  },
  capital_gain_distribution: {
    ...cashOfAsset,
    lots: 'none',
    onlySecurities: true,
    income: { title: 'Capital gain distributions', name: 'capital gain distributions' },
  },
  currency_gain: {
    ...cashOfAsset,
    lots: 'none',
    income: { title: 'Foreign currency gains (section 988)', name: 'foreign currency gains' },
  },
  mark: { needs: ['asset', 'fmv'], uses: ['quantity'], lots: 'marks', askedValue: 'fmv' },
  reported_sale: {
    needs: ['asset', 'quantity', 'amount'],
    uses: ['acquired', 'basis', 'box', 'wash', 'term', 'fee', 'maturity', 'market_discount', 'offered', 'wages'],
    lots: 'disposes',
    basisAnswer: 'basis',
  },
  reported_total: { needs: ['asset', 'amount'], uses: ['quantity', 'basis', 'box', 'term'], lots: 'none' },
  gift_in: {
    needs: ['asset', 'quantity'],
    uses: ['acquired', 'basis', 'fmv', 'fee', 'maturity'],
    lots: 'opens',
    basisAnswer: 'basis',
  },
  gift_out: { ...withoutProceeds, lots: 'disposes', isOutgoing: true },
  donate: { ...withoutProceeds, lots: 'disposes', isOutgoing: true },
  lost: { ...withoutProceeds, lots: 'disposes', isOutgoing: true },
  inherit: {
    needs: ['asset', 'quantity'],
    uses: ['acquired', 'fmv', 'fee', 'maturity'],
    lots: 'opens',
    marketValue: 'fmv',
    askedValue: 'fmv',
    basisAnswer: 'fmv',
  },
  spend: { ...spent, uses: [...spent.uses, ...result], lots: 'disposes', marketValue: 'amount', isOutgoing: true },
  fee: { ...spent, lots: 'disposes', marketValue: 'amount', isOutgoing: true },
  // The acquisition date is the day of the gain.
  defer_gain: {
    needs: ['asset', 'quantity', 'amount', 'acquired', 'term'],
    uses: ['box'],
    lots: 'opens',
    onlySecurities: true,
  },
  opening_lot: {
    needs: ['asset', 'quantity', 'acquired'],
    uses: ['basis', 'fee', 'maturity'],
    lots: 'opens',
    basisAnswer: 'basis',
    datedByAnswer: true,
  },
  worthless: {
    needs: ['asset'],
    uses: ['quantity', ...choice],
    lots: 'disposes',
    notOnForm1099: 'No Form 1099-B reports a worthless security. It counts as sold on the last day of the year.',
  },
} as const satisfies Readonly<Record<string, TransactionTypeRow>>;

export type TransactionType = keyof typeof transactionTypeTable;
/** The types that change lots in place. With it, a switch or record over them can be checked to be exhaustive. */
export type LotChange = {
  [Type in TransactionType]: (typeof transactionTypeTable)[Type]['lots'] extends 'changes' ? Type : never;
}[TransactionType];
export const transactionTypes = Object.keys(transactionTypeTable) as [TransactionType, ...TransactionType[]];

export function rowOf(type: TransactionType): TransactionTypeRow {
  return transactionTypeTable[type];
}

/** Returns the types whose row meets a condition. */
export function typesWhere(
  says: (row: TransactionTypeRow, type: TransactionType) => unknown,
): ReadonlySet<TransactionType> {
  return new Set(transactionTypes.filter((type) => says(rowOf(type), type)));
}
