import type { BooksSettings } from '../../api/settings.ts';
import { methodNames } from '../../format/methods.ts';

/** A tax choice with a fixed set of values: its title and meaning. */
export interface ElectionFact {
  readonly member: ElectedMember;
  readonly title: string;
  readonly meaning: string;
  /** The display name of each value. */
  readonly names: Readonly<Record<string, string>>;
}

export type ElectedMember =
  | 'method'
  | 'digitalAssetScopeBefore2025'
  | 'lateIdentification'
  | 'washSales'
  | 'washSoldBefore'
  | 'washPeriod'
  | 'fragmentOrder'
  | 'transferFees'
  | 'giftBetweenBases'
  | 'mergerRows'
  | 'wholeDollars'
  | 'mergeRows'
  | 'columnB'
  | 'digitalAssetsInTxf';

interface ElectionGroup {
  readonly id: 'lots' | 'wash_sales' | 'transactions' | 'forms';
  readonly title: string;
  readonly elections: readonly ElectionFact[];
}

/** Makes the compiler check that the names match the API's values exactly. */
function election<Member extends ElectedMember>(fact: {
  readonly member: Member;
  readonly title: string;
  readonly meaning: string;
  readonly names: Readonly<Record<`${BooksSettings[Member]}`, string>>;
}): ElectionFact {
  return fact;
}

export const washScopeNames: Readonly<Record<BooksSettings['washSales'], string>> = {
  securities_only: 'Securities only',
  securities_and_tokenized: 'Securities, including tokenized ones',
  all_assets: 'Everything, including crypto',
};

export const electionGroups: readonly ElectionGroup[] = [
  {
    id: 'lots',
    title: 'Lot selection',
    elections: [
      election({
        member: 'method',
        title: 'Method',
        meaning:
          'Which purchases a sale uses first if you did not choose the lots. Any order other than FIFO requires instructions that you gave before the sale.',
        names: methodNames,
      }),
      election({
        member: 'digitalAssetScopeBefore2025',
        title: 'Crypto before 2025',
        meaning:
          'Whether all wallets shared one pool of lots until the end of 2024, or each wallet had its own lots, as required since then.',
        names: {
          per_wallet: 'Wallet by wallet',
          universal: 'Universal (all wallets)',
        },
      }),
      election({
        member: 'lateIdentification',
        title: 'Late lot selection',
        meaning: 'The law does not accept lots that were chosen after the sale settled.',
        names: {
          method: 'Use the method instead',
          accepted: 'Accept the chosen lots, with a warning',
        },
      }),
    ],
  },
  {
    id: 'wash_sales',
    title: 'Wash sales',
    elections: [
      election({
        member: 'washSales',
        title: 'Applies to',
        meaning:
          'Losses are disallowed if you buy the same asset within 30 days. The law covers stock and securities. Crypto is currently neither.',
        names: washScopeNames,
      }),
      election({
        member: 'washSoldBefore',
        title: 'Replacement shares sold before the loss',
        meaning: 'Whether shares that you bought within the 30 days and sold before the loss count as replacements.',
        names: {
          exclude: "Don't count",
          include: 'Count',
        },
      }),
      election({
        member: 'washPeriod',
        title: 'Holding period of the replacement',
        meaning: 'Whether the days you held the sold shares are added to those of the replacement shares.',
        names: {
          tacking: 'Add the days',
          replacement: 'Start with the purchase',
        },
      }),
      election({
        member: 'fragmentOrder',
        title: 'Order within a purchase',
        meaning: 'Which part of a purchase is sold first after a wash sale adjusted the basis of some of its shares.',
        names: {
          wash_adjusted_first: 'Shares with the wash-sale adjustment first',
          wash_adjusted_last: 'Other shares first',
        },
      }),
    ],
  },
  {
    id: 'transactions',
    title: 'Gifts, transfers and mergers',
    elections: [
      election({
        member: 'transferFees',
        title: 'Network fees paid in crypto',
        meaning: 'Whether units paid as a network fee count as sold, or their cost is added to the units that moved.',
        names: {
          disposal: 'Treat as a sale',
          joins_basis: 'Add to cost of the rest',
        },
      }),
      election({
        member: 'giftBetweenBases',
        title: 'Gift sold between its two bases',
        meaning: 'How the form shows a sale without gain or loss. The gain is the same.',
        names: {
          basis_is_proceeds: 'Proceeds as basis',
          donor_basis: "Donor's basis, with code L",
        },
      }),
      election({
        member: 'mergerRows',
        title: 'Merger with cash',
        meaning: 'Which proceeds the form shows for a merger that paid shares and cash. The gain is the same.',
        names: {
          cash_less_gain: 'Cash only',
          all_received: 'Everything received, with code O',
        },
      }),
    ],
  },
  {
    id: 'forms',
    title: 'Form options',
    elections: [
      election({
        member: 'wholeDollars',
        title: 'Amounts',
        meaning: 'Whether forms round every amount to whole dollars. If so, you must round all amounts on the return.',
        names: { false: 'Dollars and cents', true: 'Whole dollars' },
      }),
      election({
        member: 'mergeRows',
        title: 'Rows',
        meaning: 'How many Form 8949 rows a sale of several lots takes. The totals stay the same.',
        names: {
          none: 'One row per lot',
          same_lot: 'One row for parts of one lot',
          sale: 'One row per sale, acquired VARIOUS',
        },
      }),
      election({
        member: 'columnB',
        title: 'Date acquired',
        meaning: 'Which date column (b) shows for lots that include the holding period of other property.',
        names: {
          held_when_term_differs: 'Start of the holding period if it decides the term',
          held: 'Always the start of the holding period',
          trade: 'Always the purchase date',
        },
      }),
      election({
        member: 'digitalAssetsInTxf',
        title: 'Crypto in TXF files',
        meaning:
          'TXF has no code for digital assets. Include them as not reported, or leave them out and enter them manually.',
        names: {
          as_not_reported: 'As not reported',
          left_out: 'Left out',
        },
      }),
    ],
  },
];

/** The help entry of each tax choice that has one. */
export const entryOfElection: Readonly<Partial<Record<ElectedMember, string>>> = {
  method: 'lot-method',
  digitalAssetScopeBefore2025: 'digital-asset-lots',
  lateIdentification: 'late-identification',
  washSales: 'wash-sales-of-crypto',
  washSoldBefore: 'replacement-shares',
  washPeriod: 'wash-sale-holding-period',
  fragmentOrder: 'wash-sale-basis',
  transferFees: 'network-fees',
  giftBetweenBases: 'gifts-received',
  mergerRows: 'cash-merger',
  wholeDollars: 'rounding',
  mergeRows: 'various',
  columnB: 'tacking',
  digitalAssetsInTxf: 'txf',
};
