import { Elysia } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import { writeZip } from '../../../base/zip.ts';
import type { Deps } from '../../../deps.ts';
import { download } from '../../../http/download.ts';
import { group, recordedRead } from '../../../http/operations/operations.ts';
import { binary, problems } from '../../../http/schemas.ts';
import type { Access, Caller, Taxpayer } from '../../people/auth/access.ts';
import { requireRecentSignIn } from '../../people/auth/proof/recent.ts';
import { selectAccount } from './archives.queries.ts';
import { archiveEntries, createOutputStream } from './export.ts';

const { onBooks } = group('Accounts');

/**
 * Each export holds a database connection until the client has read it, so there is a limit per server. Each user can
 * run one at a time.
 */
const atOnceMax = 2;
const retrySeconds = 30;

/** Defines the route that exports all data of an account as one file. */
export const archiveRoutes = (deps: Deps, access: Access) => {
  const underWay = new Set<string>();
  return new Elysia({ prefix: '/account' }).use(access).get(
    '/export',
    async ({ caller, taxpayer, request, server }) => {
      if (caller.isDemo)
        throw new Refusal(
          'forbidden',
          "These are the demo books, which can't be exported. Create an account to export your own data.",
        );
      requireRecentSignIn(caller);
      deps.rateLimits.take('work', caller.userId);
      if (underWay.has(caller.userId)) {
        const detail = 'You already have an export in progress. Try again when it is done.';
        throw new Refusal('rate_limited', detail, { retryAfterSeconds: retrySeconds });
      }
      if (underWay.size >= atOnceMax) {
        const detail = 'The server is busy with other exports. Try again in a minute.';
        throw new Refusal('overloaded', detail, { retryAfterSeconds: retrySeconds });
      }
      underWay.add(caller.userId);
      server?.timeout(request, 0);
      const body = streamArchive(deps, caller, taxpayer, () => underWay.delete(caller.userId));
      const day = deps.clock.now().toISOString().slice(0, 10);
      return download(deps, { fileName: `lotbook-${day}.zip`, mediaType: 'application/zip', body });
    },
    onBooks('exportAccount', recordedRead([], 'account_exported'), {
      summary: 'Export all data of the account as one ZIP',
      description:
        'The ZIP contains all transactions as Lotbook CSV, the content of imported files, and every table as JSON lines: settings, resolved issues, prices, balances, locks, reports, notes and notifications. For an account it also contains sessions, devices and tokens, without secrets. `manifest.json` lists versions, sizes and SHA-256 hashes. To import the ZIP into an empty account on another server, use `lotbook import-archive`. With `client`, the ZIP contains that client’s books and no account data. Requires a recent sign-in. Only one export runs at a time. It reflects the state at its start.',
      response: problems('reauthentication_required'),
      detail: { responses: { 200: { description: 'The ZIP.', content: { 'application/zip': { schema: binary } } } } },
    }),
  );
};

function streamArchive(deps: Deps, caller: Caller, taxpayer: Taxpayer, over: () => void): ReadableStream<Uint8Array> {
  const { userId } = caller;
  return createOutputStream(async (write) => {
    const isOwn = taxpayer.id === caller.taxpayerId;
    const json = isOwn ? await deps.database.asService((sql) => selectAccount(sql, userId), { readOnly: true }) : null;
    const exportRequest = {
      taxpayerId: taxpayer.id,
      timeZone: taxpayer.timeZone,
      account: json === null ? null : { userId, json },
      at: deps.clock.now(),
    };
    await deps.database.asTaxpayer(
      taxpayer.id,
      async (sql) => {
        for await (const piece of writeZip(archiveEntries(deps, sql, exportRequest))) await write(piece);
      },
      { readOnly: true, snapshot: true },
    );
  }, over);
}
