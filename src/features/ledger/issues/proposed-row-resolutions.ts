import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../engine/model.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { countTransactions } from '../../people/plans.ts';
import { recompute } from '../recompute/recompute.ts';
import { createResolver, refuseAllocated } from '../transactions/change.ts';
import { insertEdit, selectLastEdit } from '../transactions/edits.queries.ts';
import { undoEdit } from '../transactions/edits.routes.ts';
import { type ProposedRow, selectProposed } from '../transactions/row-issues.queries.ts';
import { parseProposedId, prepareProposed } from '../transactions/row-issues.ts';
import { type TouchedKeys, touch } from '../transactions/rows.ts';
import { correctRows, storeProposed } from '../transactions/store.ts';
import { selectReplaced } from './issues.queries.ts';
import type { Proposal, ResolutionContext, ResolutionEffect, ResolutionInput } from './resolution.ts';

/**
 * Proposes answers to `row_differs`: a row of a later file conflicts with a stored row. `stored` is undefined if the
 * stored row was deleted.
 */
export function proposeRow(stored: Transaction | undefined): Proposal[] {
  const both: Proposal = {
    action: 'add',
    detail: 'Both are correct: add the new row as a separate transaction.',
  };
  if (stored === undefined) return [{ ...both, detail: 'Add the row of the newer file.' }];
  return [
    {
      action: 'replace',
      detail: 'The newer file is correct: its row replaces the existing transaction. You can undo this.',
    },
    both,
  ];
}

export const resolveProposed = {
  takes: [] as readonly (keyof ResolutionInput)[],
  resolve: async (context: ResolutionContext): Promise<ResolutionEffect> => {
    const id = parseProposedId(context.issue.id);
    const copies = id === undefined ? [] : await selectProposed(context.sql, context.taxpayer.id, id);
    const [row] = copies;
    if (row === undefined) throw new Error('An issue about a row that is not stored.');
    switch (context.answer.action) {
      case 'replace':
        return replaceRow(context, row);
      case 'add':
        return addRow(context, copies);
      case 'accept':
        return keepRow(context, row);
      default:
        throw invalidMember(
          '/action',
          'Replace the row, add it as a separate transaction, or accept the issue with a note.',
        );
    }
  },
};

/** Replaces the stored row. Records one edit, which can be undone, like PATCH /transactions/:id. */
async function replaceRow({ deps, sql, taxpayer, transactions }: ResolutionContext, row: ProposedRow) {
  const [stored] = transactions;
  if (stored === undefined)
    throw invalidMember('/action', 'The transaction that it would replace was deleted. Add this row instead.');
  await refuseAllocated(sql, taxpayer.id, [stored.id]);
  await insertEdit(sql, taxpayer.id, { action: 'change', ids: [stored.id], at: deps.clock.now() });
  const prepared = prepareProposed(row, Math.floor(stored.line), await createResolver(sql, taxpayer.id));
  const touched = await correctRows(sql, taxpayer.id, [{ before: stored, after: prepared }]);
  return buildEffect(row, touched, null);
}

async function addRow({ deps, sql, taxpayer }: ResolutionContext, copies: readonly ProposedRow[]) {
  const resolution = await createResolver(sql, taxpayer.id);
  const touched = new Map<string, Transaction['on']>();
  for (const copy of copies) {
    const moved = await storeProposed(sql, taxpayer.id, copy, resolution, deps.clock.now());
    for (const [key, day] of moved) touch(touched, key, day);
  }
  // Answers count toward the plan but are never blocked by its limit.
  await countTransactions(sql, taxpayer.id, 1);
  const [row] = copies as readonly [ProposedRow];
  return buildEffect(row, touched, row.id);
}

async function keepRow({ answer }: ResolutionContext, row: ProposedRow): Promise<ResolutionEffect> {
  if (answer.note === undefined || answer.note === '')
    throw invalidMember('/note', 'Enter a note that explains why the row of the newer file does not count.');
  return buildEffect(row, new Map(), null);
}

function buildEffect(row: ProposedRow, touched: TouchedKeys, addedId: string | null): ResolutionEffect {
  const [assetKey = ''] = touched.keys();
  return {
    transactionId: row.transaction_id,
    otherId: null,
    addedId,
    given: {},
    assetKey,
    fromDay: row.on_day,
    touched,
  };
}

/** Restores the content that a row had before it was replaced. */
export async function undoReplacement(deps: Deps, sql: Sql, taxpayer: Taxpayer, issueId: string): Promise<void> {
  if (parseProposedId(issueId) === undefined) return;
  const replaced = await selectReplaced(sql, taxpayer.id, issueId);
  const edit = replaced === undefined ? undefined : await selectLastEdit(sql, taxpayer.id, replaced);
  if (replaced === undefined) return;
  if (edit === undefined) throw new Refusal('conflict', 'The edit that replaced the row is missing.');
  await undoEdit({ deps, recompute }, sql, taxpayer, edit);
}
