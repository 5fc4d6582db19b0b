/**
 * The types of transactions. Everything that depends on the type of a transaction stands in its row here, except the
 * rule itself (`events/events.ts` and `rules/`). Sets of types are derived from it by `typesWhere`.
 */
interface TransactionTypeRow {
  /**
   * Columns of the Lotbook CSV that a row must have, and columns that it may have. Others are ignored (API.md section
   * 4).
   */
  readonly needs: readonly string[];
  readonly uses: readonly string[];
  /** What it does to lots, shorts or written options. */
  readonly lots: LotEffect;
  /**
   * For a trade: where its fee goes (26 CFR 1.1012-1(h)(1), 1.1001-7(b)). A trade with a negative amount reverses an
   * earlier one. Income with a negative amount just counts as negative.
   */
  readonly tradeFee?: 'joins_cost' | 'lessens_proceeds';
  /** The direction of units in a trade for dollars. */
  readonly side?: 'buy' | 'sell';
  /** Its asset is an option, whatever else states its class. */
  readonly isOption?: true;
  /** Basis flows between its two assets, so that their books become one. */
  readonly joinsBooks?: true;
  /** Without an account it applies to every account that holds the asset. */
  readonly everyAccount?: true;
  /** The member that a market price fills where the row does not state it. */
  readonly marketValue?: 'amount' | 'fmv';
  /** The member in which the taxpayer states the value when asked. Default: the amount. */
  readonly askedValue?: 'fmv';
  /** The member in which the taxpayer states the cost of its units when asked. None: nobody is asked. */
  readonly basisAnswer?: 'amount' | 'basis' | 'fmv';
  /** Whether that answer includes the day of acquisition. Otherwise the day is that of the row. */
  readonly datedByAnswer?: true;
  /** Its name as income: as a title, and within a sentence. */
  readonly income?: { readonly title: string; readonly name: string };
  /** Tax kept back from income. The income is stated in full by its own row: nothing is subtracted from it. */
  readonly isWithheld?: true;
  /**
   * Income whose units count as bought for IRC 1091: stock awards, reinvested dividends (Pub. 550, "Wash Sales"). Units
   * found or paid out do not count as bought.
   */
  readonly isPurchase?: true;
  /** No coin pays it or knows it: its asset is a security. */
  readonly onlySecurities?: true;
  /** Why no Form 1099-B reports it, although it counts as a sale (i8949, "Nondividend distributions"). */
  readonly notOnForm1099?: string;
  /** Other words for it in files, separated by bars. A proposed mapping recognizes them. */
  readonly alsoCalled?: string;
}

export type LotEffect =
  | 'opens'
  | 'disposes'
  | 'exchanges'
  | 'moves'
  | 'changes'
  | 'opens_short'
  | 'closes_short'
  | 'ends_option'
  | 'marks'
  | 'none';

const fees = ['fee', 'fee_asset', 'fee_quantity', 'fee_own'] as const;
const choice = ['lots', 'identified_at'] as const;
const contract = ['underlying', 'right', 'shares'] as const;

const bought = { needs: ['asset', 'quantity', 'amount'], uses: [...fees] } as const;
const sold = { needs: ['asset', 'quantity', 'amount'], uses: [...fees, ...choice] } as const;
const optionTrade = { needs: ['asset', 'quantity', 'amount'], uses: [...fees, ...choice, ...contract] } as const;
const given = { needs: ['asset', 'quantity'], uses: ['fmv', ...fees, ...choice] } as const;
const spent = { needs: ['asset', 'quantity'], uses: ['amount', ...fees, ...choice] } as const;
// The value on the day counts where a tax-free account distributes the units.
const moved = { needs: ['asset', 'quantity'], uses: ['amount', 'fmv', ...fees, ...choice] } as const;
const cashOfAsset = { needs: ['amount'], uses: ['asset', 'fee'] } as const;
// A value that the source does not know stays empty: the engine raises an issue.
const incomeInKind = {
  needs: [],
  uses: ['asset', 'quantity', 'amount', ...fees],
  lots: 'opens',
  marketValue: 'amount',
  basisAnswer: 'amount',
} as const;

export const transactionTypeTable = {
  buy: {
    ...bought,
    lots: 'opens',
    tradeFee: 'joins_cost',
    side: 'buy',
    marketValue: 'amount',
    basisAnswer: 'amount',
    alsoCalled:
      'b|bought|purchase|purchased|market buy|limit buy|buy order|bot|open buy|kauf|achat|compra|acquisto|aankoop|koop|gekocht|köp|kupno|zakup|買|買い|買付|購入',
  },
  sell: {
    ...sold,
    lots: 'disposes',
    tradeFee: 'lessens_proceeds',
    side: 'sell',
    marketValue: 'amount',
    datedByAnswer: true,
    alsoCalled:
      's|sold|sale|market sell|limit sell|sell order|sld|disposal|verkauf|vente|venta|venda|vendita|verkoop|verkocht|sälj|sprzedaż|売|売り|売却|売付',
  },
  trade: {
    needs: ['asset', 'quantity', 'received_asset', 'received_quantity'],
    uses: ['amount', ...fees, ...choice],
    lots: 'exchanges',
    tradeFee: 'lessens_proceeds',
    marketValue: 'amount',
    alsoCalled: 'swap|exchange|convert|conversion|tausch|échange|intercambio|scambio|troca|wissel|byte|wymiana|交換',
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
    alsoCalled:
      'receive|received|recv|in|transfer in|crypto deposit|incoming|einzahlung|dépôt|depósito|deposito|storting|insättning|wpłata|入金|受取',
  },
  withdrawal: {
    ...moved,
    lots: 'moves',
    alsoCalled:
      'send|sent|out|withdraw|withdrawl|transfer out|crypto withdrawal|outgoing|auszahlung|retrait|retirada|retiro|prelievo|saque|levantamento|opname|uttag|wypłata|出金|送付',
  },
  short_sell: {
    ...bought,
    lots: 'opens_short',
    tradeFee: 'lessens_proceeds',
    side: 'sell',
    alsoCalled: 'short|sell short|sold short|short sale',
  },
  cover: {
    ...sold,
    lots: 'closes_short',
    tradeFee: 'joins_cost',
    side: 'buy',
    alsoCalled: 'buy to cover|bought to cover|cover short|short cover',
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
  buy_to_close: { ...optionTrade, lots: 'closes_short', tradeFee: 'joins_cost', side: 'buy', isOption: true },
  sell_to_close: { ...optionTrade, lots: 'disposes', tradeFee: 'lessens_proceeds', side: 'sell', isOption: true },
  // The amount is the cash that an expiry in the money pays.
  expire: {
    needs: ['asset', 'quantity'],
    uses: ['amount', 'fee', ...contract, ...choice],
    lots: 'ends_option',
    isOption: true,
  },
  exercise: { ...optionTrade, lots: 'ends_option', isOption: true },
  assign: { ...optionTrade, lots: 'ends_option', isOption: true },
  dividend: {
    ...incomeInKind,
    onlySecurities: true,
    income: { title: 'Dividends', name: 'dividends' },
    alsoCalled:
      'dividends|div|cash dividend|qualified dividend|ordinary dividend|dividende|dividendo|dividendi|utdelning|dywidenda|配当|配当金',
  },
  interest: {
    ...incomeInKind,
    income: { title: 'Interest', name: 'interest' },
    alsoCalled:
      'interest earned|bank interest|credit interest|interest income|zinsen|intérêts|intereses|interessi|juros|rente|ränta|odsetki|利息',
  },
  staking: {
    ...incomeInKind,
    income: { title: 'Staking rewards', name: 'staking rewards' },
    alsoCalled: 'staking reward|staking rewards|stake reward|staking income',
  },
  mining: {
    ...incomeInKind,
    income: { title: 'Mining', name: 'mining' },
    isPurchase: true,
    alsoCalled: 'mined|mining reward|mining income|mining rewards',
  },
  airdrop: { ...incomeInKind, income: { title: 'Airdrops', name: 'airdrops' }, alsoCalled: 'airdrops' },
  reward: {
    ...incomeInKind,
    income: { title: 'Rewards', name: 'rewards' },
    alsoCalled:
      'rewards|bonus|cashback|referral|referral bonus|learning reward|belohnung|récompense|recompensa|ricompensa|beloning|belöning|nagroda|報酬',
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
    alsoCalled: 'drip|reinvestment|dividend reinvestment|reinvest dividend|reinvest shares',
    onlySecurities: true,
  },
  withholding: {
    ...cashOfAsset,
    lots: 'none',
    income: { title: 'Tax withheld', name: 'tax withheld' },
    isWithheld: true,
    alsoCalled:
      'withholding tax|tax withheld|foreign tax withheld|quellensteuer|retenue à la source|retención|ritenuta|dividendbelasting',
  },
  split: {
    needs: ['asset'],
    uses: ['ratio', 'quantity', 'amount', 'fee'],
    lots: 'changes',
    everyAccount: true,
    alsoCalled: 'stock split|share split|forward split|reverse split',
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
    // Without a received asset it is for cash alone.
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
    alsoCalled: 'roc',
  },
  bond_amortization: {
    needs: ['asset', 'amount'],
    uses: ['fee'],
    lots: 'changes',
    onlySecurities: true,
    alsoCalled: 'bond premium amortization|premium amortization|amortized premium|amortization of bond premium',
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
    alsoCalled: 'forex gain|fx gain|currency gain',
  },
  mark: { needs: ['asset', 'fmv'], uses: ['quantity'], lots: 'marks', askedValue: 'fmv' },
  reported_sale: {
    needs: ['asset', 'quantity', 'amount'],
    uses: ['acquired', 'basis', 'box', 'wash', 'term', 'fee'],
    lots: 'disposes',
    basisAnswer: 'basis',
  },
  reported_total: { needs: ['asset', 'amount'], uses: ['quantity', 'basis', 'box', 'term'], lots: 'none' },
  gift_in: {
    needs: ['asset', 'quantity'],
    uses: ['acquired', 'basis', 'fmv', 'fee'],
    lots: 'opens',
    basisAnswer: 'basis',
    alsoCalled: 'gift received',
  },
  gift_out: { ...given, lots: 'disposes', alsoCalled: 'gift|gift sent' },
  donate: { ...given, lots: 'disposes', alsoCalled: 'donation|charity' },
  lost: { ...given, lots: 'disposes', alsoCalled: 'stolen|theft' },
  inherit: {
    needs: ['asset', 'quantity'],
    uses: ['acquired', 'fmv', 'fee'],
    lots: 'opens',
    marketValue: 'fmv',
    askedValue: 'fmv',
    basisAnswer: 'fmv',
  },
  spend: { ...spent, lots: 'disposes', marketValue: 'amount', alsoCalled: 'spent|card payment' },
  fee: { ...spent, lots: 'disposes', marketValue: 'amount', alsoCalled: 'fees|network fee|gas fee' },
  opening_lot: {
    needs: ['asset', 'quantity', 'acquired'],
    uses: ['basis', 'fee'],
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
/** The types that change lots in place: a switch or a record over them can be exhaustive. */
export type LotChange = {
  [Type in TransactionType]: (typeof transactionTypeTable)[Type]['lots'] extends 'changes' ? Type : never;
}[TransactionType];
export const transactionTypes = Object.keys(transactionTypeTable) as [TransactionType, ...TransactionType[]];

export function rowOf(type: TransactionType): TransactionTypeRow {
  return transactionTypeTable[type];
}

/** The types whose row fulfils a condition. */
export function typesWhere(
  says: (row: TransactionTypeRow, type: TransactionType) => unknown,
): ReadonlySet<TransactionType> {
  return new Set(transactionTypes.filter((type) => says(rowOf(type), type)));
}
