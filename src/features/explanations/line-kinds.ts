import type { Disposal, Transaction } from '../../engine/model.ts';

/** Kinds of lines whose columns have texts and law of their own. A plain sale of a bought lot is `sale`. */
export type LineKind = 'sale' | 'short' | 'written' | 'merger' | 'capital' | 'reported' | 'gift' | 'fund' | 'unknown';

export function lineKindOf(
  disposal: Disposal,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): LineKind {
  if (/[YZ]/.test(disposal.code)) return 'fund';
  if (disposal.shortSale) return 'short';
  if (opener?.type === 'sell_to_open') return 'written';
  if (sale?.type === 'merger' && sale.receivedAsset !== '') return 'merger';
  if (sale?.type === 'return_of_capital') return 'capital';
  if (disposal.lotId.endsWith('/reported')) return 'reported';
  if (disposal.lotId.endsWith('/unknown')) return 'unknown';
  return opener?.type === 'gift_in' ? 'gift' : 'sale';
}

/** A sentence with the law that it rests on. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly string[];
}

/** Column (b) where no lot was chosen. */
export const acquiredTexts: Readonly<Partial<Record<LineKind, CitedText>>> = {
  short: {
    text: 'The day on which the delivered property was bought. Delivery closes a short sale.',
    citations: ['IRC 1233(a); 26 CFR 1.1233-1(a)'],
  },
  written: {
    text: 'The day on which the option was closed or expired. The writer of an option is paid first.',
    citations: ['IRC 1234(b)'],
  },
  merger: {
    text: 'The day on which the old units were acquired. A merger applies to every lot.',
    citations: ['IRC 1223(1)'],
  },
  capital: {
    text: 'The day on which the lot was acquired. A return of capital applies to every lot.',
    citations: ['IRC 301(c)(3)'],
  },
  reported: { text: 'The broker’s form shows it so.', citations: ['Form 1099-B, box 1b'] },
  fund: {
    text: 'The day of the investment in the opportunity fund.',
    citations: ['Instructions for Form 8949, "How To Report an Election To Defer Tax"'],
  },
  unknown: {
    text: 'More units were sold than the records contain. Their purchase is not known.',
    citations: ['IRC 1012'],
  },
};

export const proceedsTexts: Readonly<Partial<Record<LineKind, CitedText>>> = {
  short: { text: 'The amount received for the short sale, less its fees.', citations: ['IRC 1001(b), 1233(a)'] },
  written: { text: 'The premium received for writing the option, less its fees.', citations: ['IRC 1234(b)'] },
  merger: { text: 'The part of the merger’s cash that belongs to these units.', citations: ['IRC 356(a)(1)'] },
  capital: { text: 'The part of the distribution above the basis of the lot.', citations: ['IRC 301(c)(3)'] },
  reported: { text: 'The broker’s form shows it so.', citations: ['Form 1099-B, box 1d'] },
  fund: { text: 'Empty on the form: only column (g) counts.', citations: ['Instructions for Form 8949, code Y, Z'] },
};

export const basisTexts: Readonly<Partial<Record<LineKind, CitedText>>> = {
  short: { text: 'The cost of the delivered property, fees included.', citations: ['IRC 1233(a)'] },
  written: { text: 'The cost of closing the option. It is zero if the option expired.', citations: ['IRC 1234(b)'] },
  capital: { text: 'Zero. The distribution reduced the whole basis first.', citations: ['IRC 301(c)(2)'] },
  reported: { text: 'The broker’s form shows it so.', citations: ['Form 1099-B, box 1e'] },
  fund: { text: 'Empty on the form: only column (g) counts.', citations: ['Instructions for Form 8949, code Y, Z'] },
};

/** Column (e) of cash in a merger: the basis only where the election shows all that was received (P15). */
export function mergerBasisText({ code }: Disposal): CitedText {
  const text = code.includes('O')
    ? 'The basis of the old units.'
    : 'The cash less the recognized gain. The recognized gain is the whole gain, but at most the cash.';
  return { text, citations: ['IRC 356(a)(1), 358(a)'] };
}

/** Says which basis of a gift counts: the donor's, or the value at the gift (IRC 1015(a)). */
export function giftBasisText({ proceeds, basis, code }: Disposal, gift: Transaction | undefined): CitedText {
  const citations = ['IRC 1015(a); Pub. 551'];
  const twoBases = gift?.basis != null && gift.fmv != null && gift.basis > gift.fmv;
  const text = !twoBases
    ? 'The part of the donor’s basis that belongs to these units.'
    : code.includes('L')
      ? 'The donor’s basis. The proceeds lie between it and the value at the gift, so the loss does not count.'
      : proceeds === basis
        ? 'The proceeds. Between the donor’s basis and the value at the gift there is neither gain nor loss.'
        : proceeds > basis
          ? 'The donor’s basis of these units, which counts for a gain.'
          : 'The value of these units at the gift. It counts for a loss where the donor’s basis was higher.';
  return { text, citations };
}
