import type { Disposal, Transaction } from '../../engine/model.ts';

/** What a line is about, where it is no sale of a lot that was bought: each has words and law of its own. */
export type Kind = 'sale' | 'short' | 'written' | 'merger' | 'capital' | 'reported' | 'gift' | 'untold';

export function kindOf(disposal: Disposal, sale: Transaction | undefined, opener: Transaction | undefined): Kind {
  if (disposal.shortSale) return 'short';
  if (opener?.type === 'sell_to_open') return 'written';
  if (sale?.type === 'merger' && sale.receivedAsset !== '') return 'merger';
  if (sale?.type === 'return_of_capital') return 'capital';
  if (disposal.lotId.endsWith('/reported')) return 'reported';
  if (disposal.lotId.endsWith('/unknown')) return 'untold';
  return opener?.type === 'gift_in' ? 'gift' : 'sale';
}

export interface Words {
  readonly text: string;
  readonly citations: readonly string[];
}

/** Column (b) of what nobody chose a lot for. */
export const acquiredWords: Readonly<Partial<Record<Kind, Words>>> = {
  short: {
    text: 'The day on which the property delivered was bought: a short sale is closed by delivery.',
    citations: ['IRC 1233(a); 26 CFR 1.1233-1(a)'],
  },
  written: {
    text: 'The day on which the option was closed, or was over: its writer was paid first.',
    citations: ['IRC 1234(b)'],
  },
  merger: { text: 'The day of the old units: a merger reaches every lot.', citations: ['IRC 1223(1)'] },
  capital: { text: 'The day of the lot: a return of capital reaches every lot.', citations: ['IRC 301(c)(3)'] },
  reported: { text: 'As the form of the broker shows it.', citations: ['Form 1099-B, box 1b'] },
  untold: {
    text: 'More was sold than the records tell of: where it came from is not known.',
    citations: ['IRC 1012'],
  },
};

export const proceedsWords: Readonly<Partial<Record<Kind, Words>>> = {
  short: { text: 'What the short sale brought, less its fees.', citations: ['IRC 1001(b), 1233(a)'] },
  written: { text: 'The premium that writing the option brought, less its fees.', citations: ['IRC 1234(b)'] },
  merger: { text: 'The share of the merger’s cash that belongs to these units.', citations: ['IRC 356(a)(1)'] },
  capital: { text: 'What came back beyond the basis of the lot.', citations: ['IRC 301(c)(3)'] },
  reported: { text: 'As the form of the broker shows it.', citations: ['Form 1099-B, box 1d'] },
};

export const basisWords: Readonly<Partial<Record<Kind, Words>>> = {
  short: { text: 'What the property delivered had cost, fees included.', citations: ['IRC 1233(a)'] },
  written: { text: 'What closing the option cost; nothing where it expired.', citations: ['IRC 1234(b)'] },
  capital: { text: 'Nothing: all of the basis had come back.', citations: ['IRC 301(c)(2)'] },
  reported: { text: 'As the form of the broker shows it.', citations: ['Form 1099-B, box 1e'] },
};

/** (e) of cash in a merger is no share of the basis, unless it was elected to show all that came (P15). */
export function mergerBasis({ code }: Disposal): Words {
  const text = code.includes('O')
    ? 'The basis of the old units.'
    : 'The cash less the gain that is recognized, which is the whole gain but no more than the cash.';
  return { text, citations: ['IRC 356(a)(1), 358(a)'] };
}

/** Which of a gift's bases counts (IRC 1015(a)). */
export function giftBasis({ proceeds, basis, code }: Disposal, gift: Transaction | undefined): Words {
  const citations = ['IRC 1015(a); Pub. 551'];
  const twoBases = gift?.basis != null && gift.fmv != null && gift.basis > gift.fmv;
  const text = !twoBases
    ? 'The share of the donor’s basis that belongs to these units.'
    : code.includes('L')
      ? 'The donor’s basis: the sale lies between it and the value at the gift, and the loss does not count.'
      : proceeds === basis
        ? 'The proceeds themselves: between the donor’s basis and the value at the gift there is neither gain nor loss.'
        : proceeds > basis
          ? 'The share of the donor’s basis: it counts for a gain.'
          : 'The share of the value at the gift: it counts for a loss where the donor’s basis was higher.';
  return { text, citations };
}
