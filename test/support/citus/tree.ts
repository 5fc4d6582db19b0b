import type { Node, ResTarget, SelectStmt } from 'libpg-query';

/** A node of a parsed statement: `{ SelectStmt: … }`. */
export type Part = Node;

/** Returns the type and the content of a node. */
export function opened(part: Part | undefined): readonly [kind: string, content: Record<string, unknown>] {
  const [entry] = Object.entries(part ?? {});
  return (entry ?? ['', {}]) as unknown as readonly [string, Record<string, unknown>];
}

/** Calls the visitor for each node, outermost first. If it returns false, skips the nodes inside. */
export function visit(
  value: unknown,
  each: (kind: string, content: Record<string, unknown>) => boolean | undefined,
): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, each);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [kind, content] of Object.entries(value)) {
    const isPart = /^[A-Z]/.test(kind) && typeof content === 'object' && content !== null;
    if (isPart && each(kind, content as Record<string, unknown>) === false) continue;
    visit(content, each);
  }
}

/** Returns the names in a column reference: `t.id` → ['t', 'id']. A star is '*'. */
export function columnNames(content: Record<string, unknown>): string[] {
  return ((content.fields ?? []) as Part[]).map((field) => {
    const [kind, inner] = opened(field);
    return kind === 'String' ? String(inner.sval) : '*';
  });
}

/** Returns the last name of a function, a type or an operator. */
export function lastName(names: unknown): string {
  const list = (names ?? []) as Part[];
  return String(opened(list.at(-1))[1].sval ?? '');
}

/** Returns the conditions that must all hold: the operands of the topmost `and`. */
export function demands(condition: Part | undefined): Part[] {
  if (condition === undefined) return [];
  const [kind, content] = opened(condition);
  if (kind === 'BoolExpr' && content.boolop === 'AND_EXPR') return (content.args as Part[]).flatMap(demands);
  return [condition];
}

/** Returns a select without `union`, or the branches of a select with `union`. */
export function branchesOf(select: SelectStmt): SelectStmt[] {
  if (select.larg === undefined || select.rarg === undefined) return [select];
  return [...branchesOf(select.larg), ...branchesOf(select.rarg)];
}

export function targetsOf(list: readonly Part[] | undefined): ResTarget[] {
  return (list ?? []).map((target) => opened(target)[1] as ResTarget);
}
