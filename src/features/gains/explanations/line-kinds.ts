import type { Disposal, Line, Rules, Transaction, WashSale } from '../../../engine/model.ts';
import type { FormChoices } from '../../../forms/choices.ts';
import type { LotHistory } from './lot-history.ts';

/** Kinds of lines whose columns have their own texts and citations. A plain sale of a purchased lot is a `sale`. */
export type LineKind = 'sale' | 'short' | 'written' | 'merger' | 'capital' | 'reported' | 'gift' | 'fund' | 'unknown';

export function determineLineKind(
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

/** A sentence with its legal authority. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly string[];
}

/** Column (b) of lines that involve no choice of a lot. */
export const acquiredTexts: Readonly<Partial<Record<LineKind, CitedText>>> = {
  short: {
    text: 'The purchase date of the delivered property. Delivery closes a short sale.',
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
  reported: { text: 'As shown on the broker’s form.', citations: ['Form 1099-B, box 1b'] },
  fund: {
    text: 'The day of the investment in the opportunity fund.',
    citations: ['Instructions for Form 8949, "How To Report an Election To Defer Tax"'],
  },
  unknown: {
    text: 'Purchase not found: more units were sold than your records contain.',
    citations: ['IRC 1012'],
  },
};

export const proceedsTexts: Readonly<Partial<Record<LineKind, CitedText>>> = {
  short: { text: 'The amount received for the short sale, less its fees.', citations: ['IRC 1001(b), 1233(a)'] },
  written: { text: 'The premium received for writing the option, less its fees.', citations: ['IRC 1234(b)'] },
  merger: { text: 'These units’ share of the merger’s cash.', citations: ['IRC 356(a)(1)'] },
  capital: { text: 'The part of the distribution that exceeds the basis of the lot.', citations: ['IRC 301(c)(3)'] },
  reported: { text: 'As shown on the broker’s form.', citations: ['Form 1099-B, box 1d'] },
  fund: { text: 'Blank on the form: only column (g) counts.', citations: ['Instructions for Form 8949, code Y, Z'] },
};

export const basisTexts: Readonly<Partial<Record<LineKind, CitedText>>> = {
  short: { text: 'The cost of the delivered property, including fees.', citations: ['IRC 1233(a)'] },
  written: { text: 'The cost of closing the option. It is zero if the option expired.', citations: ['IRC 1234(b)'] },
  capital: { text: 'Zero. The distribution reduced the whole basis first.', citations: ['IRC 301(c)(2)'] },
  reported: { text: 'As shown on the broker’s form.', citations: ['Form 1099-B, box 1e'] },
  fund: { text: 'Blank on the form: only column (g) counts.', citations: ['Instructions for Form 8949, code Y, Z'] },
};

/**
 * Returns the text for column (e) of a line for cash received in a merger. The column shows the basis only if the
 * taxpayer elected to show the full amount received (P15).
 */
export function mergerBasisText({ code }: Disposal): CitedText {
  const text = code.includes('O')
    ? 'The basis of the old units.'
    : 'The cash less the recognized gain, which is the whole gain but not more than the cash.';
  return { text, citations: ['IRC 356(a)(1), 358(a)'] };
}

/** Explains which basis of a gift counts: the donor's or the value at the gift (IRC 1015(a)). */
export function giftBasisText({ proceeds, basis, code }: Disposal, gift: Transaction | undefined): CitedText {
  const citations = ['IRC 1015(a); Pub. 551'];
  const twoBases = gift?.basis != null && gift.fmv != null && gift.basis > gift.fmv;
  const text = !twoBases
    ? 'These units’ share of the donor’s basis.'
    : code.includes('L')
      ? 'The donor’s basis. The proceeds are between it and the value at the gift, so the loss does not count.'
      : proceeds === basis
        ? 'The proceeds. Between the donor’s basis and the value at the gift there is neither gain nor loss.'
        : proceeds > basis
          ? 'The donor’s basis of these units, which applies to a gain.'
          : 'The value of these units at the gift. It applies to a loss if the donor’s basis was higher.';
  return { text, citations };
}

/** The data that explains a line of Form 8949. */
export interface LineContext {
  readonly line: Line;
  /** All lines from the same row. */
  readonly lines: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly rules: Rules;
  readonly history: LotHistory | null;
  readonly columnB: NonNullable<FormChoices['columnB']>;
  /** The rows that sold the units or opened the lot, with amounts in dollars. */
  readonly rows: ReadonlyMap<string, Transaction>;
  readonly openers: readonly string[];
  /** The purchase dates of the replacement units, by row. */
  readonly boughtOn: ReadonlyMap<string, string>;
}
