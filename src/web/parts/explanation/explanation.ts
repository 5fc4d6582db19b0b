import { api, got } from '../../api/api.ts';

/** How a line of Form 8949 came about. */
export type LineExplanation = Awaited<ReturnType<typeof readExplanation>>;
export type ExplainedStep = LineExplanation['steps'][number];
export type ExplainedSource = LineExplanation['sources'][number];

export function readExplanation(id: string) {
  return got(api.tax.disposals({ id }).explain.get());
}

/** The other lots that the same sale took, where its row is stored. */
export function readSale(id: string) {
  return got(api.transactions({ id }).get());
}
