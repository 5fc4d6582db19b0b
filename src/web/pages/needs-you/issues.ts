import type { IssueKind } from '../../../engine/model.ts';
import { api, got, request } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';

/** What could not be known, with the answers that would end it. */
export type OpenIssue = Awaited<ReturnType<typeof readIssues>>['data'][number];
export type IssueProposal = OpenIssue['proposals'][number];

export interface IssueFilter {
  readonly year?: number;
  readonly kind?: IssueKind;
  readonly status: 'open' | 'accepted' | 'resolved';
}

export function readIssues(filter: IssueFilter, limit: number) {
  return got(api.tax.issues.get({ query: { ...filter, limit } }));
}

/** An answer, as POST /tax/issues/:id/resolve takes it. */
export type IssueAnswer = Parameters<ReturnType<typeof api.tax.issues>['resolve']['post']>[0];

/** What the years would become; nothing is kept. */
export async function tryAnswer(id: string, answer: IssueAnswer) {
  const tried = await got(api.tax.issues({ id }).resolve.post(answer, { query: { dryRun: true } }));
  return tried.preview?.years ?? [];
}

/** Gives the answer; what is returned takes it back. */
export async function giveAnswer(id: string, answer: IssueAnswer): Promise<() => Promise<void>> {
  await got(api.tax.issues({ id }).resolve.post(answer));
  booksChanged();
  return () => takeBack(id);
}

/** The question is open again. */
export async function takeBack(id: string): Promise<void> {
  await got(api.tax.issues({ id }).resolution.delete());
  booksChanged();
}

/** Gives the price of a unit on a day. */
export async function givePrice(asset: string, date: string, price: string): Promise<void> {
  await request('/v1/prices', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `date,asset,usd\n${date},"${asset.replaceAll('"', '""')}",${price}\n`,
  });
  booksChanged();
}

type BatchGiven = Parameters<typeof api.tax.issues.resolve.post>[0];
/** One answer for all of a kind. */
export type BatchAnswer = Omit<BatchGiven, 'ids' | 'filter'>;
/** Of which open questions: of a kind, and of a year where one is chosen. */
type BatchFilter = Omit<IssueFilter, 'status' | 'kind'> & { readonly kind: IssueKind; readonly status?: unknown };

export async function tryBatch(filter: BatchFilter, answer: BatchAnswer) {
  const tried = await got(api.tax.issues.resolve.post(batchOf(filter, answer), { query: { dryRun: true } }));
  return tried.preview?.years ?? [];
}

/** Gives the answer to all of them; `undo` takes it back as a whole. */
export async function giveBatch(filter: BatchFilter, answer: BatchAnswer) {
  const { resolved, ids } = await got(api.tax.issues.resolve.post(batchOf(filter, answer)));
  booksChanged();
  const undo = async () => {
    await got(api.tax.issues.reopen.post({ ids }));
    booksChanged();
  };
  return { resolved, undo };
}

function batchOf({ kind, year }: BatchFilter, answer: BatchAnswer): BatchGiven {
  return { filter: { kind, ...(year === undefined ? {} : { year }) }, ...answer };
}
