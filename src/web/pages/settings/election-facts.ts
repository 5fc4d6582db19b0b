import type { BooksSettings } from '../../api/settings.ts';
import { methodNames } from '../../format/methods.ts';

/** A tax choice with a fixed set of values: its title and meaning. */
interface ElectionWords<Value extends string = string> {
  readonly title: string;
  /** The heading under “Advanced”. */
  readonly group?: string;
  /** The help entry. */
  readonly entry: string;
  readonly meaning: string;
  /** The display name of each value. */
  readonly names: Readonly<Record<Value, string>>;
}

type ElectedMember = Exclude<
  { [Name in keyof BooksSettings]-?: BooksSettings[Name] extends string | boolean ? Name : never }[keyof BooksSettings],
  'filingStatus' | 'constructiveSalesOfCoinsFrom'
>;

export const washScopeNames: Readonly<Record<BooksSettings['washSales'], string>> = {
  securities_and_tokenized: 'Securities, including tokenized ones',
  securities_only: 'Securities only',
  all_assets: 'Everything, including crypto',
};

/** The choices that matter to most taxpayers have no group. The first value of each choice is its default. */
const facts: { readonly [Member in ElectedMember]: ElectionWords<`${BooksSettings[Member]}`> } = {
  method: {
    title: 'Method',
    meaning:
      'Which purchases a sale uses first if you did not choose the lots. Any order other than FIFO requires instructions that you gave before the sale.',
    names: methodNames,
    entry: 'lot-method',
  },
  washSales: {
    title: 'Wash sales apply to',
    meaning:
      'Losses are disallowed if you buy the same asset within 30 days. The law covers stock and securities. Crypto is currently neither.',
    names: washScopeNames,
    entry: 'wash-sales-of-crypto',
  },
  digitalAssetScopeBefore2025: {
    title: 'Crypto before 2025',
    meaning:
      'Whether all wallets shared one pool of lots until the end of 2024, or each wallet had its own lots, as required since then.',
    names: { per_wallet: 'Wallet by wallet', universal: 'Universal (all wallets)' },
    entry: 'digital-asset-lots',
  },
  lateIdentification: {
    group: 'Lot selection',
    title: 'Late lot selection',
    meaning: 'The law does not accept lots that were chosen after the sale settled.',
    names: { method: 'Use the method instead', accepted: 'Accept the chosen lots, with a warning' },
    entry: 'late-identification',
  },
  washSoldBefore: {
    group: 'Wash sales',
    title: 'Replacement shares sold before the loss',
    meaning: 'Whether shares that you bought within the 30 days and sold before the loss count as replacements.',
    names: { exclude: "Don't count", include: 'Count' },
    entry: 'replacement-shares',
  },
  washPeriod: {
    group: 'Wash sales',
    title: 'Holding period of the replacement',
    meaning: 'Whether the days you held the sold shares are added to those of the replacement shares.',
    names: { tacking: 'Add the days', replacement: 'Start with the purchase' },
    entry: 'wash-sale-holding-period',
  },
  fragmentOrder: {
    group: 'Wash sales',
    title: 'Order within a purchase',
    meaning: 'Which part of a purchase is sold first after a wash sale adjusted the basis of some of its shares.',
    names: {
      wash_adjusted_first: 'Shares with the wash-sale adjustment first',
      wash_adjusted_last: 'Other shares first',
    },
    entry: 'wash-sale-basis',
  },
  transferFees: {
    group: 'Gifts, transfers and mergers',
    title: 'Network fees paid in crypto',
    meaning: 'Whether units paid as a network fee count as sold, or their cost is added to the units that moved.',
    names: { disposal: 'Treat as a sale', joins_basis: 'Add to cost of the rest' },
    entry: 'network-fees',
  },
  giftBetweenBases: {
    group: 'Gifts, transfers and mergers',
    title: 'Gift sold between its two bases',
    meaning: 'How the form shows a sale without gain or loss. The gain is the same.',
    names: { basis_is_proceeds: 'Proceeds as basis', donor_basis: "Donor's basis, with code L" },
    entry: 'gifts-received',
  },
  mergerRows: {
    group: 'Gifts, transfers and mergers',
    title: 'Merger with cash',
    meaning: 'Which proceeds the form shows for a merger that paid shares and cash. The gain is the same.',
    names: { cash_less_gain: 'Cash only', all_received: 'Everything received, with code O' },
    entry: 'cash-merger',
  },
  wholeDollars: {
    group: 'Form options',
    title: 'Amounts on forms',
    meaning: 'Whether forms round every amount to whole dollars. If so, you must round all amounts on the return.',
    names: { false: 'Dollars and cents', true: 'Whole dollars' },
    entry: 'rounding',
  },
  mergeRows: {
    group: 'Form options',
    title: 'Rows on forms',
    meaning: 'How many Form 8949 rows a sale of several lots takes. The totals stay the same.',
    names: {
      none: 'One row per lot',
      same_lot: 'One row for parts of one lot',
      sale: 'One row per sale, acquired VARIOUS',
    },
    entry: 'various',
  },
  columnB: {
    group: 'Form options',
    title: 'Date acquired',
    meaning: 'Which date column (b) shows for lots that include the holding period of other property.',
    names: {
      held_when_term_differs: 'Start of the holding period if it decides the term',
      held: 'Always the start of the holding period',
      trade: 'Always the purchase date',
    },
    entry: 'tacking',
  },
  digitalAssetsInTxf: {
    group: 'Form options',
    title: 'Crypto in TXF files',
    meaning:
      'TXF has no code for digital assets. Include them as not reported, or leave them out and enter them manually.',
    names: { as_not_reported: 'As not reported', left_out: 'Left out' },
    entry: 'txf',
  },
};

/** The tax choices with fixed values, each with the name of its setting. */
export const elections: readonly ElectionFact[] = Object.entries(facts).map(
  ([member, fact]: [string, ElectionWords]) => ({ ...fact, member: member as ElectedMember }),
);

export interface ElectionFact extends ElectionWords {
  readonly member: ElectedMember;
}
