/** A tool's title, description and parameters. */
export interface ToolWords {
  readonly title: string;
  readonly description: string;
  readonly wanted: readonly ArgumentName[];
}

/** A `?` marks an optional argument. */
export type ArgumentName = 'year' | 'asset' | 'asset?';

/** Descriptions, written for a language model, of the tools that take at most a year and an asset. */
export const toolWords = {
  overview: {
    title: 'Years and assets',
    description: 'Today’s date, the years with activity, and the assets in the books.',
    wanted: [],
  },
  year_summary: {
    title: 'A tax year',
    description:
      'A tax year: short-term, long-term and total gain; wash sales; boxes of Form 8949; gains by asset; income.',
    wanted: ['year'],
  },
  asset_gains: {
    title: 'Gains on an asset',
    description: 'The gains on one asset in one tax year.',
    wanted: ['year', 'asset'],
  },
  income: {
    title: 'Income',
    description: 'Income for a year, by kind or for one asset.',
    wanted: ['year', 'asset?'],
  },
  wash_sales: {
    title: 'Wash sales',
    description: 'The wash sales of a year.',
    wanted: ['year'],
  },
  carryover: {
    title: 'Loss carryovers',
    description: 'Losses carried into a year, deducted in it, and carried over.',
    wanted: ['year'],
  },
  issues: {
    title: 'Open issues',
    description: 'Open issues in the transaction history, with the dollar amounts at stake.',
    wanted: [],
  },
  positions: {
    title: 'Current holdings',
    description: 'Current holdings: quantity, basis and number of open lots of each asset.',
    wanted: [],
  },
  open_lots: {
    title: 'Open lots of an asset',
    description: 'The open lots of one asset, oldest first, with basis and term.',
    wanted: ['asset'],
  },
  next_long_term: {
    title: 'Next to turn long-term',
    description: 'Open short-term lots, in the order in which they become long-term.',
    wanted: ['asset?'],
  },
} as const satisfies Readonly<Record<string, ToolWords>>;
