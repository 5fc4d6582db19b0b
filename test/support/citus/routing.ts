import type { SelectStmt } from 'libpg-query';
import { tablePlacements, taxpayerColumn } from '../../../src/db/citus.ts';
import { branchesOf, columnNames, demands, lastName, opened, type Part, targetsOf, visit } from './tree.ts';

/**
 * Finds tables with taxpayer data that a statement reads or writes without specifying the taxpayer. Citus sends a
 * statement to one worker if each of these tables, including in subqueries, is restricted by `=` to a value known
 * before it runs, or to the taxpayer in another such table.
 */
export function routingOf(statement: Part): Routing {
  const columns = new Columns();
  readStatement(statement, columns, undefined);
  return columns.routing();
}

export interface Routing {
  /** The tables whose taxpayer is not known. */
  readonly unrouted: readonly string[];
  /** True if these tables are joined by taxpayer, so every worker can answer for its own rows. */
  readonly isJoined: boolean;
}

/** The tables in a statement by alias, without those in its subqueries. */
class Scope {
  readonly items = new Map<string, Item>();
  readonly named: Map<string, Item>;
  readonly outer: Scope | undefined;

  constructor(outer: Scope | undefined) {
    this.outer = outer;
    this.named = new Map(outer?.named ?? []);
  }

  /** Returns the name of the column within the whole statement, or undefined if its table is not known. */
  find(names: readonly string[]): string | undefined {
    const [alias, column] = names.length > 1 ? names.slice(-2) : [undefined, names[0]];
    if (column === undefined) return undefined;
    if (alias !== undefined) {
      const item = this.items.get(alias);
      return item === undefined ? this.outer?.find(names) : `${item.id}.${column}`;
    }
    const owners = [...this.items.values()].filter((item) => item.has(column));
    return owners[0] === undefined ? this.outer?.find(names) : `${owners[0].id}.${column}`;
  }
}

interface Item {
  readonly id: string;
  /** Returns true if the table has that column. Only the taxpayer's column matters here. */
  has(column: string): boolean;
}

const known = 'a known value';

/** Tracks columns that are equal, and tables whose taxpayer must be known. */
class Columns {
  private readonly parents = new Map<string, string>();
  private readonly keys: { readonly table: string; readonly column: string }[] = [];
  private readonly implied: { readonly from: readonly string[]; readonly to: readonly string[] }[] = [];
  private count = 0;

  newId(): string {
    this.count += 1;
    return `${this.count}`;
  }

  needs(table: string, column: string): void {
    this.keys.push({ table, column });
  }

  equal(one: string, other: string): void {
    this.parents.set(this.root(one), this.root(other));
  }

  /** Records that if all columns in `from` are known, all columns in `to` are known, too. */
  imply(from: readonly string[], to: readonly string[]): void {
    this.implied.push({ from, to });
  }

  routing(): Routing {
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false;
      for (const { from, to } of this.implied) {
        if (!from.every((column) => this.isKnown(column))) continue;
        for (const column of to.filter((name) => !this.isKnown(name))) {
          this.equal(column, known);
          hasChanged = true;
        }
      }
    }
    const open = this.keys.filter(({ column }) => !this.isKnown(column));
    const isJoined = new Set(open.map(({ column }) => this.root(column))).size <= 1;
    return { unrouted: [...new Set(open.map(({ table }) => table))].sort(), isJoined };
  }

  private isKnown(column: string): boolean {
    return this.root(column) === this.root(known);
  }

  private root(column: string): string {
    let at = column;
    for (let up = this.parents.get(at); up !== undefined && up !== at; up = this.parents.get(at)) at = up;
    return at;
  }
}

function readStatement(statement: Part, columns: Columns, outer: Scope | undefined): void {
  const [kind, content] = opened(statement);
  if (kind === 'SelectStmt') readSelect(content as SelectStmt, columns, outer);
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') {
    const scope = new Scope(outer);
    readWith(content.withClause, columns, scope);
    readFrom({ RangeVar: content.relation } as Part, columns, scope);
    for (const item of (content.fromClause ?? content.usingClause ?? []) as Part[]) readFrom(item, columns, scope);
    readWhere(content.whereClause as Part | undefined, columns, scope);
    readSubqueries([content.targetList, content.returningClause, content.returningList], columns, scope);
  }
  if (kind === 'InsertStmt') {
    const scope = new Scope(outer);
    readWith(content.withClause, columns, scope);
    if (content.selectStmt !== undefined) readStatement(content.selectStmt as Part, columns, scope);
  }
}

function readSelect(select: SelectStmt, columns: Columns, outer: Scope | undefined): Scope {
  const scope = new Scope(outer);
  readWith(select.withClause, columns, scope);
  if (select.larg !== undefined && select.rarg !== undefined) {
    for (const branch of [select.larg, select.rarg]) readSelect(branch, columns, scope);
    return scope;
  }
  for (const item of select.fromClause ?? []) readFrom(item, columns, scope);
  readWhere(select.whereClause, columns, scope);
  const rest = [select.targetList, select.valuesLists, select.groupClause, select.havingClause, select.sortClause];
  readSubqueries([...rest, select.limitCount, select.distinctClause], columns, scope);
  return scope;
}

function readWith(clause: unknown, columns: Columns, scope: Scope): void {
  const { ctes = [] } = (clause ?? {}) as { ctes?: Part[] };
  for (const cte of ctes) {
    const [, { ctename, ctequery }] = opened(cte);
    const id = columns.newId();
    const item = derived(id);
    const query = ctequery as Part;
    scope.named.set(String(ctename), item);
    const [kind, content] = opened(query);
    if (kind === 'SelectStmt') bindOutput(content as SelectStmt, id, columns, scope, false);
    else readStatement(query, columns, scope);
  }
}

const derived = (id: string): Item => ({ id, has: (column) => column === 'taxpayer_id' });

function readFrom(item: Part, columns: Columns, scope: Scope): void {
  const [kind, content] = opened(item);
  const alias = (content.alias as { aliasname?: string } | undefined)?.aliasname;
  if (kind === 'RangeVar') {
    const table = String(content.relname);
    const cte = content.schemaname === undefined ? scope.named.get(table) : undefined;
    if (cte !== undefined) scope.items.set(alias ?? table, cte);
    else if (tablePlacements[table] === 'taxpayer') {
      const key = taxpayerColumn(table);
      const id = columns.newId();
      scope.items.set(alias ?? table, { id, has: (column) => column === key });
      columns.needs(table, `${id}.${key}`);
    } else scope.items.set(alias ?? table, { id: columns.newId(), has: () => false });
  } else if (kind === 'RangeSubselect') {
    const id = columns.newId();
    const inner = opened(content.subquery as Part)[1] as SelectStmt;
    bindOutput(inner, id, columns, scope, true);
    scope.items.set(alias ?? id, derived(id));
  } else if (kind === 'JoinExpr') {
    readFrom(content.larg as Part, columns, scope);
    readFrom(content.rarg as Part, columns, scope);
    for (const name of (content.usingClause ?? []) as Part[]) joinUsing(String(opened(name)[1].sval), columns, scope);
    readWhere(content.quals as Part | undefined, columns, scope);
  } else {
    readSubqueries([content], columns, scope);
    scope.items.set(alias ?? columns.newId(), { id: columns.newId(), has: () => false });
  }
}

function joinUsing(column: string, columns: Columns, scope: Scope): void {
  const owners = [...scope.items.values()].filter((item) => item.has(column));
  for (const { id } of owners.slice(1)) columns.equal(`${owners[0]?.id}.${column}`, `${id}.${column}`);
}

/**
 * Binds the columns of a subquery to its select list. The planner may apply conditions on them from the outer query in
 * each branch.
 */
function bindOutput(select: SelectStmt, id: string, columns: Columns, scope: Scope, isJoined: boolean): void {
  const outputs = new Map<string, (string | undefined)[]>();
  const branches = branchesOf(select);
  if (branches.length > 1) readWith(select.withClause, columns, scope);
  const names = targetsOf(branches[0]?.targetList).map(outputName);
  for (const branch of branches) {
    const inner = readSelect(branch, columns, scope);
    targetsOf(branch.targetList).forEach(({ val }, at) => {
      const [kind, content] = opened(val);
      const column = kind === 'ColumnRef' ? columnNames(content) : [];
      const found = isKnownValue(val) ? known : column.includes('*') ? starKey(inner) : inner.find(column);
      const name = column.includes('*') ? 'taxpayer_id' : names[at];
      if (name !== undefined) outputs.set(name, [...(outputs.get(name) ?? []), found]);
    });
  }
  for (const [name, found] of outputs) {
    const inner = found.filter((column) => column !== undefined);
    if (inner.length !== found.length || found.length < branches.length) continue;
    columns.imply(inner, [`${id}.${name}`]);
    if (isJoined) columns.imply([`${id}.${name}`], inner);
    if (isJoined && inner.length === 1 && inner[0] !== known) columns.equal(`${id}.${name}`, String(inner[0]));
  }
}

function starKey(scope: Scope): string | undefined {
  return scope.find(['taxpayer_id']);
}

function outputName({ name, val }: { name?: string; val?: Part }): string | undefined {
  if (name !== undefined) return name;
  const [kind, content] = opened(val);
  return kind === 'ColumnRef' ? columnNames(content).at(-1) : undefined;
}

function readWhere(condition: Part | undefined, columns: Columns, scope: Scope): void {
  for (const demanded of demands(condition)) {
    const [kind, content] = opened(demanded);
    if (kind === 'A_Expr' && content.kind === 'AEXPR_OP' && lastName(content.name) === '=') {
      equate(content.lexpr as Part, content.rexpr as Part, columns, scope);
    }
    readSubqueries([demanded], columns, scope);
  }
}

const subselectOf = (content: Record<string, unknown>) => opened(content.subselect as Part)[1] as SelectStmt;

function equate(left: Part, right: Part, columns: Columns, scope: Scope): void {
  const [one, other] = [left, right].map((side) => {
    if (isKnownValue(side)) return known;
    const [kind, content] = opened(side);
    return kind === 'ColumnRef' ? scope.find(columnNames(content)) : undefined;
  });
  if (one !== undefined && other !== undefined) columns.equal(one, other);
}

/** Returns true for a parameter or a literal. */
function isKnownValue(part: Part | undefined): boolean {
  const [kind, content] = opened(part);
  if (kind === 'TypeCast') return isKnownValue(content.arg as Part);
  return kind === 'ParamRef' || kind === 'A_Const';
}

/** Reads subqueries. A comparison in a subquery with an outer column restricts that column at any depth. */
function readSubqueries(parts: readonly unknown[], columns: Columns, scope: Scope): void {
  visit(parts, (kind, content) => {
    if (kind !== 'SubLink') return undefined;
    readSelect(subselectOf(content), columns, scope);
    readSubqueries([content.testexpr], columns, scope);
    return false;
  });
}
