import { Refusal } from '../../base/refusal.ts';
import type { Statement } from '../../engine/model.ts';
import { membersOfKind, statementMembers } from '../../engine/statement-members.ts';
import type { Draft } from '../../formats/format.ts';
import { cellsOf, escaped } from '../../formats/lotbook/lotbook-write.ts';
import { type LotbookColumn, lotbookColumns, memberOf } from '../../formats/lotbook-columns.ts';
import { actions } from '../../formats/read.ts';
import { lotbook } from '../../formats/sources/lotbook.ts';

/** Members of a JSON transaction, by name: text, or null where a patch takes a statement back. */
export type MemberTexts = Readonly<Record<string, string | null | undefined>>;

/**
 * A transaction by hand goes the way of a line of the Lotbook CSV, so that one set of rules decides what is valid; the
 * columns it complains about are named as members.
 */
export function draftOfMembers(members: MemberTexts, timeZone: string): Draft {
  return readCells(Object.fromEntries(columnsOf(members)), timeZone);
}

/** The statement with a merge patch in it. */
export function patchedDraft(before: Statement, patch: MemberTexts, timeZone: string): Draft {
  return readCells({ ...cellsOf(before), ...Object.fromEntries(columnsOf(patch)) }, timeZone);
}

const columnOfMember: ReadonlyMap<string, LotbookColumn> = new Map(
  lotbookColumns.map((column) => [memberOf(column), column]),
);

function columnsOf(members: MemberTexts): [LotbookColumn, string][] {
  return Object.entries(members).flatMap(([name, value]) => {
    const column = columnOfMember.get(name);
    if (column === undefined || value === undefined) return [];
    return [[column, value === null ? '' : freeText.has(column) ? escaped(value) : value] as [LotbookColumn, string]];
  });
}

/** Columns that are read with the apostrophe off that keeps a spreadsheet from running them. */
const freeText: ReadonlySet<LotbookColumn> = new Set(
  membersOfKind('name', 'lots', 'note').map((name) => statementMembers[name].column),
);

function readCells(cells: Partial<Record<LotbookColumn, string>>, timeZone: string): Draft {
  const header = { line: 0, cells: [...lotbookColumns] };
  const layout = lotbook.layouts[0];
  if (layout === undefined) throw new Error('The Lotbook CSV has a layout.');
  const row = { line: 0, cells: lotbookColumns.map((column) => cells[column] ?? '') };
  const [outcome] = lotbook.open(layout, header, { timeZone, preamble: [] }).read(row);
  if (outcome?.kind === 'rejected') throw refused(outcome.issue.column, outcome.issue.reason);
  const draft = outcome?.kind === 'read' ? outcome.drafts[0] : undefined;
  if (draft === undefined) throw new Refusal('invalid', 'This states nothing that could be stored.');
  return draft.account === '' && !actions.has(draft.type) ? { ...draft, account: lotbook.source } : draft;
}

function refused(column: string | null, reason: string): Refusal {
  const pointer = column === null ? '' : `/${memberOf(column)}`;
  return new Refusal('invalid', `${column === null ? 'The transaction' : memberOf(column)}: ${reason}.`, {
    errors: [{ pointer, code: 'invalid', detail: reason }],
  });
}
