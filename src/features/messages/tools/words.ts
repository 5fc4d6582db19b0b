/** A tool's title, description and parameters. */
export interface ToolWords {
  readonly title: string;
  readonly description: string;
  readonly wanted: readonly ArgumentName[];
}

/** A `?` marks an optional argument. */
export type ArgumentName = 'year' | 'asset' | 'asset?';

/** The descriptions for a language model of the tools that take at most a year and an asset. */
export const toolWords = {
  overview: {
    title: 'Years and assets',
    description: 'Today, the years with activity and the assets in the books.',
    wanted: [],
  },
  year_summary: {
    title: 'A tax year',
    description:
      'A tax year: short-term, long-term and total gain; wash sales; boxes of Form 8949; gains by asset; income.',
    wanted: ['year'],
  },
  asset_gains: {
    title: 'Gains of an asset',
    description: 'The gains of one asset in one tax year.',
    wanted: ['year', 'asset'],
  },
  income: {
    title: 'Income',
    description: 'Income of a year by kind, or of one asset.',
    wanted: ['year', 'asset?'],
  },
  wash_sales: {
    title: 'Wash sales',
    description: 'The wash sales of a year.',
    wanted: ['year'],
  },
  carryover: {
    title: 'Carried losses',
    description: 'Losses carried into a year, deducted in it, and carried over.',
    wanted: ['year'],
  },
  issues: {
    title: 'Open issues',
    description: 'Open issues of the history, with the dollars at stake.',
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
    description: 'Open lots that are still short-term, the next to become long-term first.',
    wanted: ['asset?'],
  },
} as const satisfies Readonly<Record<string, ToolWords>>;
