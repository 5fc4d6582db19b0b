import type { RejectState } from '../../../features/ledger/imports/imports.queries.ts';
import { api, booksChanged, type ItemOf, unwrapResponse, write } from '../../api/api.ts';
import type { PreviewedRow } from './preview-view.tsx';

/** A row of a file that could not be read. */
export type RejectedFileLine = ItemOf<typeof api.imports.rejects.get>;
export type { RejectState };

/** A transaction in the form that POST /imports/rejects/:id accepts. */
export type ManualRow = Extract<Parameters<ReturnType<typeof api.imports.rejects>['post']>[0], { row: unknown }>['row'];

/** Adds the transaction for a rejected row. Returns a function that removes it again. */
export async function fixRow(id: string, row: ManualRow): Promise<() => Promise<void>> {
  const { transactionId } = await write(api.imports.rejects({ id }).post({ row }));
  return async () => {
    if (transactionId !== null) await unwrapResponse(api.transactions({ id: transactionId }).delete());
    booksChanged();
  };
}

/** Previews the effect of the transaction on each year. Nothing is saved. */
export async function tryMending(id: string, row: ManualRow) {
  const tried = await unwrapResponse(api.imports.rejects({ id }).post({ row }, { query: { dryRun: true } }));
  return tried.preview?.years ?? [];
}

export async function dismissLine(id: string, note: string): Promise<void> {
  await write(api.imports.rejects({ id }).post({ dismiss: note }));
}

/** Turns a row read from a file into a manually entered transaction. */
export function toManualRow(previewed: PreviewedRow): ManualRow {
  const { id: _id, day: _day, source, review: _review, assetName: _name, ...stated } = previewed;
  const entries = Object.entries(stated).filter(([, value]) => value !== null && value !== '');
  const row = Object.fromEntries(entries) as unknown as ManualRow;
  return source.externalId === null ? row : { ...row, externalId: source.externalId };
}
