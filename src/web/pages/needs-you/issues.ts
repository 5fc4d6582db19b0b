import type { IssueKind } from '../../../engine/model.ts';
import { api, request, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';

/** An item to review, with the possible answers. */
export type OpenIssue = Awaited<ReturnType<typeof readIssues>>['data'][number];
export type IssueProposal = OpenIssue['proposals'][number];

export interface IssueFilter {
  readonly year?: number;
  readonly kind?: IssueKind;
  readonly status: 'open' | 'accepted' | 'resolved';
}

export function readIssues(filter: IssueFilter, limit: number) {
  return unwrapResponse(api.tax.issues.get({ query: { ...filter, limit } }));
}

/** An answer in the form that POST /tax/issues/:id/resolve accepts. */
export type IssueResolution = Parameters<ReturnType<typeof api.tax.issues>['resolve']['post']>[0];

/** Previews the effect on each year. Nothing is saved. */
export async function previewResolution(id: string, resolutionInput: IssueResolution) {
  const tried = await unwrapResponse(api.tax.issues({ id }).resolve.post(resolutionInput, { query: { dryRun: true } }));
  return tried.preview?.years ?? [];
}

/** Saves the answer. Returns a function that undoes it. */
export async function resolveIssue(id: string, resolutionInput: IssueResolution): Promise<() => Promise<void>> {
  await unwrapResponse(api.tax.issues({ id }).resolve.post(resolutionInput));
  booksChanged();
  return () => reopenIssue(id);
}

/** Reopens the item. */
export async function reopenIssue(id: string): Promise<void> {
  await unwrapResponse(api.tax.issues({ id }).resolution.delete());
  booksChanged();
}

/** Saves the price of a unit on a day. */
export async function savePrice(asset: string, date: string, price: string): Promise<void> {
  await request('/v1/prices', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `date,asset,usd\n${date},"${asset.replaceAll('"', '""')}",${price}\n`,
  });
  booksChanged();
}

type BatchRequest = Parameters<typeof api.tax.issues.resolve.post>[0];
/** One answer for all items of a kind. */
export type BatchResolution = Omit<BatchRequest, 'ids' | 'filter'>;
/** Selects open items: a kind, optionally limited to a year. */
type BatchFilter = Omit<IssueFilter, 'status' | 'kind'> & { readonly kind: IssueKind; readonly status?: unknown };

export async function previewBatch(filter: BatchFilter, resolutionInput: BatchResolution) {
  const tried = await unwrapResponse(
    api.tax.issues.resolve.post(buildBatchRequest(filter, resolutionInput), { query: { dryRun: true } }),
  );
  return tried.preview?.years ?? [];
}

/** Saves the answer for all of the items. `undo` reverts all of them. */
export async function resolveBatch(filter: BatchFilter, resolutionInput: BatchResolution) {
  const { resolved, ids } = await unwrapResponse(
    api.tax.issues.resolve.post(buildBatchRequest(filter, resolutionInput)),
  );
  booksChanged();
  const undo = async () => {
    await unwrapResponse(api.tax.issues.reopen.post({ ids }));
    booksChanged();
  };
  return { resolved, undo };
}

function buildBatchRequest({ kind, year }: BatchFilter, resolutionInput: BatchResolution): BatchRequest {
  return { filter: { kind, ...(year === undefined ? {} : { year }) }, ...resolutionInput };
}
