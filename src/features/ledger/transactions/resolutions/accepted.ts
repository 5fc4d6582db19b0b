import { roundToCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Fact, Issue } from '../../../../engine/model.ts';
import { parseMoneyColumn, parseQuantityColumn } from '../rows/columns.ts';
import { selectAccepted } from './resolutions.queries.ts';

/** Accepted issues by id, with their content when the taxpayer accepted them. */
export type AcceptedIssues = ReadonlyMap<string, Pick<Issue, 'dollars' | 'units'>>;

/** Used for a taxpayer who has accepted no issues. */
export const noneAccepted: AcceptedIssues = new Map();

export async function readAccepted(sql: Sql, taxpayerId: string): Promise<AcceptedIssues> {
  const rows = await selectAccepted(sql, taxpayerId);
  return new Map(
    rows.map(({ issue_id, dollars, units }) => [
      issue_id,
      {
        dollars: dollars === null ? null : roundToCents(parseMoneyColumn(dollars)),
        units: parseQuantityColumn(units) ?? undefined,
      },
    ]),
  );
}

/**
 * Removes accepted issues, which are still listed but do not count. Keeps an issue that has grown since it was
 * accepted.
 */
export function withoutAccepted<F extends Fact>(facts: readonly F[], accepted: AcceptedIssues): F[] {
  if (accepted.size === 0) return facts as F[];
  return facts.filter((fact) => fact.kind !== 'issue' || !isCovered(fact, accepted));
}

/** Returns the issues that are not accepted. */
export async function openIssues(sql: Sql, taxpayerId: string, issues: readonly Issue[]): Promise<Issue[]> {
  return issues.length === 0 ? [] : withoutAccepted(issues, await readAccepted(sql, taxpayerId));
}

function isCovered(issue: Issue, accepted: AcceptedIssues): boolean {
  const then = accepted.get(issue.id);
  if (then === undefined || isMore(issue.dollars, then.dollars)) return false;
  return issue.units === undefined || then.units === undefined || issue.units <= then.units;
}

/** Returns whether the amount at stake has grown. An issue that was accepted with an unknown amount never grows. */
function isMore(dollars: Issue['dollars'], then: Issue['dollars']): boolean {
  return then !== null && (dollars === null || dollars > then);
}
