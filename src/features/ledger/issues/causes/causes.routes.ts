import { Elysia, t } from 'elysia';
import { formatCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { issueName } from '../../../../forms/ids.ts';
import { isUuid, requireFound } from '../../../../http/errors.ts';
import { invalidCursor, limitDefault, mapPage, page, readCursor } from '../../../../http/list.ts';
import { group, read } from '../../../../http/operations/operations.ts';
import { listQuery, yearParameter } from '../../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../../people/auth/access.ts';
import { loadAssetNames } from '../../transactions/asset-names/asset-names.ts';
import { selectTransactions } from '../../transactions/list.queries.ts';
import { getToday } from '../../transactions/view.ts';
import { selectOpenIssues } from '../issues.queries.ts';
import { proposalsFor } from '../proposals.ts';
import { factIdOfIssueId } from '../resolution.ts';
import { issueView } from '../view.ts';
import { buildAnswers, buildCauseAnswers } from './answers.ts';
import { readCauseRows } from './causes.queries.ts';
import { IssueCauseDetails, IssueCauseList } from './causes.schemas.ts';
import { type Cause, compareCauses, groupByCause, resolvedCause } from './group.ts';

const { onBooks } = group('Issues');

/** Lists open issues by cause. One answer often resolves all issues of a cause. */
export const causeRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/causes' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const after = readAfter(asked.cursor);
        return books.snapshot(async (sql) => {
          const causes = groupByCause(await readCauseRows(sql, taxpayer.id, asked.year ?? null));
          const rest = after === null ? causes : causes.filter((cause) => compareCauses(cause, after) > 0);
          const found = page(rest.slice(0, limit + 1), limit, (one) => [String(one.dollars), one.unknown, one.key]);
          const nameOf = await loadCauseNames(sql, taxpayer.id, found.data);
          return { ...mapPage(found, (cause) => causeView(cause, nameOf)), total: totalView(causes) };
        });
      },
      onBooks('listIssueCauses', read, {
        summary: 'List the causes of open issues',
        description:
          'Groups open issues by what one answer may resolve: the time zone, the type of an account, the missing purchases of an asset in an account, the missing prices, the unmatched transfers of an account, the unreadable rows of a file. Issues of one transaction are one item. The largest amount at stake comes first.',
        query: { ...listQuery, year: t.Optional(yearParameter) },
        response: { 200: IssueCauseList },
      }),
    )
    .get(
      '/:id',
      async ({ books, taxpayer, params, query: asked }) => {
        const key = factIdOfIssueId(params.id);
        const limit = asked.limit ?? limitDefault;
        return books.snapshot(async (sql) => {
          const causes = groupByCause(await readCauseRows(sql, taxpayer.id, asked.year ?? null));
          const cause = requireFound(causes.find((each) => each.key === key) ?? resolvedCause(key));
          return {
            ...causeView(cause, await loadCauseNames(sql, taxpayer.id, [cause])),
            answers: buildCauseAnswers(cause),
            items: await readItems(deps, sql, taxpayer, { ...cause, items: cause.items.slice(0, limit) }),
          };
        });
      },
      onBooks('getIssueCause', read, {
        summary: 'Get a cause with its items and answers',
        description:
          'Each answer is one request: `operation` is an operation of this API, `target` the id in its path, `body` its body, and `fields` the members that you add. The likeliest answer comes first. `answers` of the cause apply to all of its items, up to 500. A cause whose issues are resolved has no items.',
        query: { limit: listQuery.limit, year: t.Optional(yearParameter) },
        response: { 200: IssueCauseDetails },
      }),
    );

type CauseNamer = (cause: Cause) => string | undefined;

/** Loads the names of the assets of causes. The class of an asset is the one in the first transaction of its cause. */
async function loadCauseNames(sql: Sql, taxpayerId: string, causes: readonly Cause[]): Promise<CauseNamer> {
  const transactionOf = ({ items }: Cause) => items[0]?.issues[0]?.transaction ?? '';
  const rows = await selectTransactions(sql, taxpayerId, causes.map(transactionOf).filter(isUuid));
  const classes = new Map(rows.map(({ id, asset_class }) => [id, asset_class]));
  const named = causes.filter(({ asset }) => asset !== '');
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    named.map(({ asset }) => asset),
  );
  return (cause) =>
    cause.asset === '' ? undefined : nameOf(cause.asset, classes.get(transactionOf(cause)) ?? 'stock');
}

function readAfter(cursor: string | undefined): Pick<Cause, 'dollars' | 'unknown' | 'key'> | null {
  const after = readCursor(cursor, ['integer', 'number', 'string']);
  if (after === undefined) return null;
  const [dollars, unknown, key] = after;
  if (unknown < 0) throw invalidCursor();
  return { dollars: BigInt(dollars), unknown, key };
}

async function readItems(deps: Deps, sql: Sql, { id, timeZone }: Taxpayer, { items }: Cause) {
  const ids = items.flatMap(({ issues }) => issues.map((issue) => issue.id));
  const rows = await selectOpenIssues(sql, id, { ids });
  const proposals = await proposalsFor(sql, id, rows, getToday(deps, timeZone));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.map(({ issues, dollars }) => ({
    dollars: dollars === null ? null : formatCents(dollars as Parameters<typeof formatCents>[0]),
    rejectId: issues[0]?.line?.rejectId ?? null,
    issues: issues.flatMap(({ id: issueId, leg }) => {
      const row = byId.get(issueId);
      if (row === undefined) return [];
      const own = proposals.get(issueId) ?? [];
      return [{ ...issueView(row, own), answers: buildAnswers(row, own, leg?.type) }];
    }),
  }));
}

function totalView(causes: readonly Cause[]) {
  return {
    count: causes.reduce((sum, { items }) => sum + items.length, 0),
    dollars: formatCents(causes.reduce((sum, { dollars }) => sum + dollars, 0n) as Parameters<typeof formatCents>[0]),
    unknown: causes.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}

function causeView(cause: Cause, nameOf: CauseNamer) {
  const { key, kind, asset, account, fileName, reason, items, dollars, unknown } = cause;
  const assetName = nameOf(cause);
  return {
    ...(assetName === undefined ? {} : { assetName }),
    id: issueName(key),
    ...{ kind, asset, account, fileName, reason, unknown },
    count: items.length,
    issues: items.reduce((sum, item) => sum + item.issues.length, 0),
    dollars: formatCents(dollars as Parameters<typeof formatCents>[0]),
    date: items[0]?.issues[0]?.on ?? null,
  };
}
