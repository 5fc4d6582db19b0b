import { api, unwrapResponse } from '../../api/api.ts';

export type ListedInterest = Awaited<ReturnType<typeof readFunds>>['data'][number];
export type FundPart = ListedInterest['part'];

/** Returns the data of Form 8997 for a year. */
export function readFunds(year: number) {
  return unwrapResponse(api.tax['opportunity-funds'].get({ query: { year, limit: 1_000 } }));
}

const withCodeY = 'Each is also on Form 8949 with code Y.';

/** The parts of Form 8997, in order. */
export const fundParts: readonly { readonly part: FundPart; readonly title: string; readonly about: string }[] = [
  { part: 'I', title: 'Held at the beginning of the year', about: 'Part I of Form 8997.' },
  { part: 'II', title: 'Invested in the year', about: 'Part II. Each gain is also on Form 8949 with code Z.' },
  { part: 'III', title: 'Gains included in the year', about: `Part III. ${withCodeY}` },
  { part: 'III A', title: 'Gains included because of a sale or gift', about: `Part III A. ${withCodeY}` },
  { part: 'III B', title: 'Gains included because the deferral ended', about: `Part III B. ${withCodeY}` },
  { part: 'IV', title: 'Held at the end of the year', about: 'Part IV.' },
  { part: 'V', title: 'Held after inclusion', about: 'Part V. Each stays here until you sell it.' },
];
