import { api, unwrapResponse } from '../../api/api.ts';

/** The explanation of a Form 8949 entry. */
export type LineExplanation = Awaited<ReturnType<typeof readExplanation>>;
export type ExplainedStep = LineExplanation['steps'][number];
export type ExplainedSource = LineExplanation['sources'][number];

export function readExplanation(id: string) {
  return unwrapResponse(api.tax.disposals({ id }).explain.get());
}

/** Returns the other lots in the same sale, if its transaction is stored. */
export function readSale(id: string) {
  return unwrapResponse(api.transactions({ id }).get());
}
