import type { InsertStmt, SelectStmt } from 'libpg-query';
import { tablePlacements, taxpayerColumn } from '../../../src/db/citus.ts';
import { routingOf } from './routing.ts';
import { branchesOf, columnNames, lastName, opened, type Part, targetsOf, visit } from './tree.ts';

/**
 * The statements that Citus refuses, as rules. Each was tried on Citus 13.0.5 with PostgreSQL 15. On a cluster,
 * `test/db/citus/refusals.test.ts` compares every rule with the cluster's behavior.
 */
export interface Fault {
  readonly rule: Rule;
  readonly about: string;
}

export type Rule =
  | 'one worker'
  | 'joined by the taxpayer'
  | 'insert by copy'
  | 'numbered insert of a query'
  | 'no subquery in values'
  | 'no changing function of columns'
  | 'no changing function in a case'
  | 'no changing function on conflict'
  | 'plain returning'
  | 'no lock across workers'
  | 'one place';

/** The facts about the database that the rules need. */
export interface Catalog {
  /**
   * Functions by name: the result depends on the time or the settings (`s`), or is different on each call (`v`), in any
   * overload.
   */
  readonly volatility: ReadonlyMap<string, 's' | 'v'>;
  /** The identity column of each table, by table name. */
  readonly numbered: ReadonlyMap<string, string>;
}

export function faultsOf(statement: Part, catalog: Catalog): Fault[] {
  const tables = tablesOf(statement);
  const ofTaxpayers = tables.filter((table) => tablePlacements[table] === 'taxpayer');
  const faults = changeFaults(statement, catalog);
  const add = (rule: Rule, about: string): void => void faults.push({ rule, about });
  if (ofTaxpayers.length === 0) return faults;
  const { unrouted, isJoined } = routingOf(statement);
  if (unrouted.length > 0) add(isJoined ? 'one worker' : 'joined by the taxpayer', unrouted.join(', '));
  const local = tables.filter(
    (table) => tablePlacements[table] === 'coordinator' || tablePlacements[table] === undefined,
  );
  if (local.length > 0) add('one place', local.join(', '));
  visit([statement], (part, content) => {
    if (part === 'LockingClause' && unrouted.length > 0) add('no lock across workers', unrouted.join(', '));
    if (part === 'InsertStmt') faults.push(...insertFaults(content as InsertStmt, catalog));
    return undefined;
  });
  return faults;
}

/** Faults in a change to a distributed table. The rules differ for a reference table and a table with taxpayer data. */
function changeFaults(statement: Part, catalog: Catalog): Fault[] {
  const [kind, content] = opened(statement);
  if (!['UpdateStmt', 'DeleteStmt', 'InsertStmt'].includes(kind)) return [];
  const table = String((content.relation as { relname?: string }).relname);
  if (tablePlacements[table] === 'coordinator' || tablePlacements[table] === undefined) return [];
  const faults: Fault[] = unstable(statement, catalog).map((about) => ({
    rule: 'no changing function of columns',
    about,
  }));
  visit([content.targetList, content.whereClause], (part, inner) => {
    if (part === 'SubLink') return false;
    if (part !== 'CaseExpr' && part !== 'CoalesceExpr') return undefined;
    for (const about of changing([inner], catalog)) faults.push({ rule: 'no changing function in a case', about });
    return false;
  });
  const { targetList, whereClause } = (content.onConflictClause ?? {}) as {
    targetList?: unknown;
    whereClause?: unknown;
  };
  for (const about of changing([targetList, whereClause], catalog)) {
    faults.push({ rule: 'no changing function on conflict', about });
  }
  for (const about of changing([content.returningClause, content.returningList], catalog)) {
    faults.push({ rule: 'plain returning', about });
  }
  return faults;
}

/** Returns the functions in the statement that are not immutable. */
function changing(parts: unknown, catalog: Catalog): string[] {
  const found: string[] = [];
  visit(parts, (part, content) => {
    const name = part === 'FuncCall' ? lastName(content.funcname) : part === 'SQLValueFunction' ? 'a moment' : '';
    if (part === 'SQLValueFunction' || catalog.volatility.has(name)) found.push(name);
    return undefined;
  });
  return found;
}

export function tablesOf(statement: Part): string[] {
  const tables = new Set<string>();
  const queries = new Set<string>();
  visit([statement], (kind, content) => {
    if (kind === 'LockingClause') return false;
    if (kind === 'CommonTableExpr') queries.add(String(content.ctename));
    if (kind === 'RangeVar' && (content.schemaname ?? 'public') === 'public') tables.add(String(content.relname));
    const { relation } = content as { relation?: { relname?: string } };
    if (relation?.relname !== undefined) tables.add(relation.relname);
    return undefined;
  });
  return [...tables].filter((table) => !queries.has(table) && !table.startsWith('pg_'));
}

function insertFaults(insert: InsertStmt, catalog: Catalog): Fault[] {
  const table = String(insert.relation?.relname);
  const select = opened(insert.selectStmt)[1] as SelectStmt;
  if (tablePlacements[table] !== 'taxpayer' || insert.selectStmt === undefined) return [];
  if (select.valuesLists !== undefined) {
    return hasSubquery(select.valuesLists) ? [{ rule: 'no subquery in values', about: table }] : [];
  }
  const faults: Fault[] = [];
  const number = catalog.numbered.get(table);
  const isNumbered = number !== undefined && !(insert.cols ?? []).some((column) => opened(column)[1].name === number);
  // Citus copies the rows to the worker by COPY, which row-level security refuses unless the statement returns
  // something.
  const isHeld = insert.onConflictClause !== undefined || insert.returningClause !== undefined;
  const why = isAnchored(insert, select, table) ? unplainOf(insert, catalog) : 'not beside its taxpayer';
  if (!isHeld && (isNumbered || why !== undefined))
    faults.push({ rule: 'insert by copy', about: `${table}: ${why ?? number}` });
  if (isNumbered && hasQuery(select)) faults.push({ rule: 'numbered insert of a query', about: table });
  return faults;
}

/** Returns true for a subquery in the select list, or an outer join. */
function hasQuery(select: SelectStmt): boolean {
  let found = false;
  visit([select.targetList, select.fromClause], (kind, content) => {
    if (kind === 'SubLink' || (kind === 'JoinExpr' && content.jointype !== 'JOIN_INNER')) found = true;
    return undefined;
  });
  return found;
}

/**
 * Returns true if each row takes its taxpayer from a table with taxpayer data, so Citus recognizes that the row stays
 * on its worker.
 */
function isAnchored(insert: InsertStmt, select: SelectStmt, table: string): boolean {
  const at = (insert.cols ?? []).findIndex((column) => opened(column)[1].name === taxpayerColumn(table));
  return branchesOf(select).every((branch) => {
    const [kind, content] = opened(targetsOf(branch.targetList)[Math.max(at, 0)]?.val);
    if (kind !== 'ColumnRef') return false;
    const names = columnNames(content);
    return ['taxpayer_id', 'id', '*'].includes(names.at(-1) ?? '') && namesTaxpayers(branch, names);
  });
}

function namesTaxpayers(select: SelectStmt, names: readonly string[]): boolean {
  const alias = names.length > 1 ? names.at(-2) : undefined;
  let isFound = false;
  visit(select.fromClause, (kind, content) => {
    if (kind === 'RangeVar' && tablePlacements[String(content.relname)] === 'taxpayer') {
      const own = (content.alias as { aliasname?: string } | undefined)?.aliasname ?? content.relname;
      const column = taxpayerColumn(String(content.relname));
      if ((alias === undefined || alias === own) && ['*', column].includes(names.at(-1) ?? '')) isFound = true;
    }
    if (kind === 'RangeSubselect' || kind === 'CommonTableExpr') {
      const own = (content.alias as { aliasname?: string } | undefined)?.aliasname;
      const inner = opened(content.subquery as Part)[1] as SelectStmt;
      if (own === alias && branchesOf(inner).every((branch) => namesTaxpayers(branch, ['taxpayer_id']))) isFound = true;
      return false;
    }
    return undefined;
  });
  return isFound;
}

/** Returns the reason why Citus cannot push an `insert … select` down to the worker. */
function unplainOf(insert: InsertStmt, catalog: Catalog): string | undefined {
  if (insert.withClause !== undefined) return 'with';
  let found: string | undefined;
  visit([insert], (kind, content) => {
    const name = kind === 'FuncCall' ? lastName(content.funcname) : '';
    if (catalog.volatility.get(name) === 'v') found = name;
    return undefined;
  });
  return found;
}

function hasSubquery(parts: unknown): boolean {
  let found = false;
  visit(parts, (kind) => {
    if (kind === 'SubLink') found = true;
    return undefined;
  });
  return found;
}

/**
 * Values that an update, a delete or `on conflict do update` computes from columns with functions that are not
 * immutable according to the catalog.
 */
function unstable(statement: Part, catalog: Catalog): string[] {
  const [kind, content] = opened(statement);
  const conflict = content.onConflictClause as Record<string, unknown> | undefined;
  const computed =
    kind === 'InsertStmt' ? [conflict?.targetList, conflict?.whereClause] : [content.targetList, content.whereClause];
  const found: string[] = [];
  visit(computed, (part, inner) => {
    if (part === 'SubLink') return false;
    const name = part === 'FuncCall' ? lastName(inner.funcname) : '';
    if (catalog.volatility.has(name) && hasColumn(inner.args)) found.push(name);
    return undefined;
  });
  return found;
}

function hasColumn(parts: unknown): boolean {
  let found = false;
  visit(parts, (kind) => {
    if (kind === 'ColumnRef') found = true;
    return kind === 'SubLink' ? false : undefined;
  });
  return found;
}
