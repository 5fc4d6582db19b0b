import type { Node, ResTarget, SelectStmt } from 'libpg-query';

/** A node of a parsed statement: `{ SelectStmt: … }`. */
export type Part = Node;

/** The type and the content of a node. */
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

/** The names of a column reference: `t.id` → ['t', 'id']; a star is '*'. */
export function columnNames(content: Record<string, unknown>): string[] {
  return ((content.fields ?? []) as Part[]).map((field) => {
    const [kind, inner] = opened(field);
    return kind === 'String' ? String(inner.sval) : '*';
  });
}

/** The last name of a function, a type or an operator. */
export function lastName(names: unknown): string {
  const list = (names ?? []) as Part[];
  return String(opened(list.at(-1))[1].sval ?? '');
}

/** The conditions that must all hold: the operands of the topmost `and`. */
export function demands(condition: Part | undefined): Part[] {
  if (condition === undefined) return [];
  const [kind, content] = opened(condition);
  if (kind === 'BoolExpr' && content.boolop === 'AND_EXPR') return (content.args as Part[]).flatMap(demands);
  return [condition];
}

/** A select without `union`, or the branches of one with it. */
export function branchesOf(select: SelectStmt): SelectStmt[] {
  if (select.larg === undefined || select.rarg === undefined) return [select];
  return [...branchesOf(select.larg), ...branchesOf(select.rarg)];
}

export function targetsOf(list: readonly Part[] | undefined): ResTarget[] {
  return (list ?? []).map((target) => opened(target)[1] as ResTarget);
}
