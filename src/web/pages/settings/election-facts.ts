import type { BooksSettings } from '../../api/settings.ts';
import { methodNames } from '../../format/methods.ts';

/** An election of one word out of a few: what it is called, and what it means in one sentence. */
export interface ElectionFact {
  readonly member: ElectedMember;
  readonly title: string;
  readonly meaning: string;
  /** Each word, and what it is called. */
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
  readonly title: string;
  readonly elections: readonly ElectionFact[];
}

/** Holds the names to the words of the API: none is missing, and none is too many. */
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
  securities_and_tokenized: 'Securities, tokenized ones too',
  all_assets: 'Everything, coins too',
};

export const electionGroups: readonly ElectionGroup[] = [
  {
    title: 'Which lots are sold',
    elections: [
      election({
        member: 'method',
        title: 'Method',
        meaning:
          'Which of your purchases a sale takes first, where you did not name the lots. Another order than FIFO stands for instructions that you gave before the sales.',
        names: methodNames,
      }),
      election({
        member: 'digitalAssetScopeBefore2025',
        title: 'Coins before 2025',
        meaning:
          'Whether the coins in all wallets were one pool until the end of 2024, or each wallet had lots of its own, as it must have since.',
        names: {
          per_wallet: 'Each wallet by itself',
          universal: 'One pool of all wallets',
        },
      }),
      election({
        member: 'lateIdentification',
        title: 'Lots named too late',
        meaning: 'What happens where lots were named after the sale had settled, which the law does not accept.',
        names: {
          method: 'The method chooses the lots',
          accepted: 'The named lots count, with a warning',
        },
      }),
    ],
  },
  {
    title: 'Wash sales',
    elections: [
      election({
        member: 'washSales',
        title: 'Reach',
        meaning:
          'Losses on what is disallowed when you buy the same within 30 days. The law names stock and securities; coins are neither today.',
        names: washScopeNames,
      }),
      election({
        member: 'washSoldBefore',
        title: 'Shares that were gone before the loss',
        meaning: 'Whether shares that you bought in the 30 days and sold before the day of the loss replace it.',
        names: {
          exclude: 'They do not',
          include: 'They do',
        },
      }),
      election({
        member: 'washPeriod',
        title: 'Holding period of the replacement',
        meaning: 'Whether the days you held the sold shares count for the shares that replace them.',
        names: {
          tacking: 'They are added',
          replacement: 'It starts with the purchase',
        },
      }),
      election({
        member: 'fragmentOrder',
        title: 'Parts of a purchase',
        meaning: 'Which part of a purchase is sold first when a wash sale has raised the basis of another part.',
        names: {
          wash_adjusted_first: 'The raised part',
          wash_adjusted_last: 'The other part',
        },
      }),
    ],
  },
  {
    title: 'Gifts, transfers and mergers',
    elections: [
      election({
        member: 'transferFees',
        title: 'Coins that pay for a transfer',
        meaning: 'Whether the units a network took count as sold, or their cost stays with the units that moved.',
        names: {
          disposal: 'They count as sold',
          joins_basis: 'Their cost stays',
        },
      }),
      election({
        member: 'giftBetweenBases',
        title: 'A gift sold between its two bases',
        meaning: 'How the form shows a sale without gain or loss: only the cells differ, never the gain.',
        names: {
          basis_is_proceeds: 'The proceeds as basis',
          donor_basis: 'The donor’s basis, with code L',
        },
      }),
      election({
        member: 'mergerRows',
        title: 'A merger with cash',
        meaning: 'What the form shows as proceeds of a merger that paid shares and cash; the gain is the same.',
        names: {
          cash_less_gain: 'The cash',
          all_received: 'All that was received, with code O',
        },
      }),
    ],
  },
  {
    title: 'How forms are written',
    elections: [
      election({
        member: 'wholeDollars',
        title: 'Amounts',
        meaning: 'Whether forms round every amount to whole dollars; then all amounts of the return must be rounded.',
        names: { false: 'Dollars and cents', true: 'Whole dollars' },
      }),
      election({
        member: 'mergeRows',
        title: 'Rows',
        meaning: 'How many rows a sale of several lots takes on Form 8949; the totals stay.',
        names: {
          none: 'One row a lot',
          same_lot: 'One row for parts of one lot',
          sale: 'One row a sale, acquired VARIOUS',
        },
      }),
      election({
        member: 'columnB',
        title: 'Date acquired',
        meaning: 'Which day column (b) shows for lots that include the holding period of other property.',
        names: {
          held_when_term_differs: 'Its start, where it decides the term',
          held: 'Always its start',
          trade: 'Always the day of purchase',
        },
      }),
      election({
        member: 'digitalAssetsInTxf',
        title: 'Coins in TXF files',
        meaning: 'TXF has no code for digital assets: they go in as not reported, or are left out and entered by hand.',
        names: {
          as_not_reported: 'As not reported',
          left_out: 'Left out',
        },
      }),
    ],
  },
];
