import { Refusal } from '../../../base/refusal.ts';
import type { Statement } from '../../../engine/model.ts';
import { membersOfKind, statementMembers } from '../../../engine/statement-members.ts';
import type { Draft, Outcome, Reader } from '../../../formats/format.ts';
import { escapeFormula, toLotbookCells } from '../../../formats/lotbook/lotbook-write.ts';
import { type LotbookColumn, lotbookColumns, memberOf } from '../../../formats/lotbook-columns.ts';
import { actions } from '../../../formats/read.ts';
import { lotbook } from '../../../formats/sources/lotbook.ts';

/** The properties of a JSON transaction as text, by name. Null means that a patch removes the value. */
export type MemberTexts = Readonly<Record<string, string | null | undefined>>;

/**
 * Converts a manual transaction to a draft. It is parsed like a row of the Lotbook CSV, so the same rules apply. Errors
 * name the property instead of the column.
 */
export function draftOfMembers(members: MemberTexts, timeZone: string): Draft {
  return openCells()(Object.fromEntries(toColumns(members)), timeZone);
}

/** Returns a draft of the statement with a merge patch applied. */
export function patchedDraft(before: Statement, patch: MemberTexts, timeZone: string, read: ReadCells): Draft {
  return read({ ...toLotbookCells(before), ...Object.fromEntries(toColumns(patch)) }, timeZone);
}

const columnOfMember: ReadonlyMap<string, LotbookColumn> = new Map(
  lotbookColumns.map((column) => [memberOf(column), column]),
);

function toColumns(members: MemberTexts): [LotbookColumn, string][] {
  return Object.entries(members).flatMap(([name, value]) => {
    const column = columnOfMember.get(name);
    if (column === undefined || value === undefined) return [];
    return [
      [column, value === null ? '' : freeText.has(column) ? escapeFormula(value) : value] as [LotbookColumn, string],
    ];
  });
}

/** Columns in which a leading apostrophe is dropped. The apostrophe prevents a spreadsheet from executing the text. */
const freeText: ReadonlySet<LotbookColumn> = new Set(
  membersOfKind('name', 'lots', 'note').map((name) => statementMembers[name].column),
);

/** Reads the cells of a row in a time zone. */
export type ReadCells = (cells: Partial<Record<LotbookColumn, string>>, timeZone: string) => Draft;

/** Opens the format once per time zone, because that takes much longer than reading a row. */
export function openCells(): ReadCells {
  const readers = new Map<string, Reader>();
  return (cells, timeZone) => {
    const reader = readers.get(timeZone) ?? openReader(timeZone);
    readers.set(timeZone, reader);
    return toDraft(reader.read({ line: 0, cells: lotbookColumns.map((column) => cells[column] ?? '') }));
  };
}

function openReader(timeZone: string): Reader {
  const layout = lotbook.layouts[0];
  if (layout === undefined) throw new Error('The Lotbook CSV has no layout.');
  return lotbook.open(layout, { line: 0, cells: [...lotbookColumns] }, { timeZone, preamble: [] });
}

function toDraft([outcome]: readonly Outcome[]): Draft {
  if (outcome?.kind === 'rejected') throw refused(outcome.issue.column, outcome.issue.reason);
  const draft = outcome?.kind === 'read' ? outcome.drafts[0] : undefined;
  if (draft === undefined)
    throw new Refusal(
      'invalid',
      'This transaction has no values to store. Enter at least its type and quantity or amount.',
    );
  return draft.account === '' && !actions.has(draft.type) ? { ...draft, account: lotbook.source } : draft;
}

function refused(column: string | null, reason: string): Refusal {
  const pointer = column === null ? '' : `/${memberOf(column)}`;
  return new Refusal('invalid', `${column === null ? 'The transaction' : memberOf(column)}: ${reason}.`, {
    errors: [{ pointer, code: 'invalid', detail: reason }],
  });
}
