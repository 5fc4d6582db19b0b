/** What a tool is called, what it tells, and what it must be told. */
export interface ToolWords {
  readonly title: string;
  readonly description: string;
  readonly wanted: readonly ArgumentName[];
}

/** `?`: it may be left out. */
export type ArgumentName = 'year' | 'asset' | 'asset?';

/** What a model is told of each tool that takes no more than a year and an asset. */
export const toolWords = {
  overview: {
    title: 'Years and assets',
    description: 'Today, the years with activity and the assets that the books know.',
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
    description: 'Income of a year by kind; of one asset where named.',
    wanted: ['year', 'asset?'],
  },
  wash_sales: {
    title: 'Wash sales',
    description: 'The wash sales of a year.',
    wanted: ['year'],
  },
  carryover: {
    title: 'Carried losses',
    description: 'Losses carried into a year, deducted in it, and carried on.',
    wanted: ['year'],
  },
  issues: {
    title: 'Open issues',
    description: 'What could not be known of the history, with the dollars at stake.',
    wanted: [],
  },
  positions: {
    title: 'What is held',
    description: 'What is held: quantity, basis and number of open lots of each asset.',
    wanted: [],
  },
  open_lots: {
    title: 'Open lots of an asset',
    description: 'The open lots of one asset, oldest first, with basis and term.',
    wanted: ['asset'],
  },
  next_long_term: {
    title: 'Next to turn long-term',
    description: 'Open lots that are still short-term, the next to turn first.',
    wanted: ['asset?'],
  },
} as const satisfies Readonly<Record<string, ToolWords>>;
