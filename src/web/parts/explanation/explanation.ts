import { api, got } from '../../api/api.ts';

/** The explanation of a Form 8949 entry. */
export type LineExplanation = Awaited<ReturnType<typeof readExplanation>>;
export type ExplainedStep = LineExplanation['steps'][number];
export type ExplainedSource = LineExplanation['sources'][number];

export function readExplanation(id: string) {
  return got(api.tax.disposals({ id }).explain.get());
}

/** The other lots of the same sale, if its transaction is stored. */
export function readSale(id: string) {
  return got(api.transactions({ id }).get());
}
