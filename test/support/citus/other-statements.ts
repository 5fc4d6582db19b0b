import { engineVersion } from '../../../src/engine/replay.ts';
import { selectDigestsBefore } from '../../../src/features/answers/feed/digest.queries.ts';
import {
  insertRows,
  keepUsedPrices,
  selectAccount,
  selectShapes,
} from '../../../src/features/ledger/archives/archives.queries.ts';
import { countStaleTaxpayers, selectStaleTaxpayers } from '../../../src/features/ledger/books/books.queries.ts';
import { sweepImports } from '../../../src/features/ledger/imports/sweep.ts';
import {
  insertSharedPrices,
  selectRevisions,
  selectWaitingTaxpayers,
} from '../../../src/features/ledger/prices/prices.queries.ts';
import { lockUser } from '../../../src/features/people/billing/billing.queries.ts';
import { isEmpty } from '../../../src/features/people/clients/clients.queries.ts';
import { readOwnBooks } from '../../../src/features/people/notifications.queries.ts';
import { claimKey, deleteOldKeys, extendClaim, readKey } from '../../../src/http/queries.ts';
import type { TestApp } from '../app.ts';

/** Sends the statements of the server that no request sends right away, for this user of the walk. */
export async function sendOtherStatements(app: TestApp, userId: string): Promise<void> {
  await sweepImports(app.deps);
  const taxpayerId = await app.deps.database.asService(async (sql) => (await readOwnBooks(sql, userId)) ?? '');
  await app.deps.database.asService(async (sql) => {
    await countStaleTaxpayers(sql, engineVersion);
    await selectStaleTaxpayers(sql, engineVersion, '00000000-0000-0000-0000-000000000000', 10);
    await selectDigestsBefore(sql, '2099-01-01', { taxpayerId: crypto.randomUUID(), userId: crypto.randomUUID() }, 10);
    for (const unvalued of [true, false]) await selectWaitingTaxpayers(sql, ['EUR'], { unvalued });
    await selectRevisions(sql);
    await selectAccount(sql, userId);
    await lockUser(sql, 'cus_1', userId);
    await deleteOldKeys(sql, 24);
    await insertSharedPrices(sql, 'ecb', [{ asset: 'EUR', day: '2024-01-02', usd: '1.1' }], new Date());
    await isEmpty(sql, taxpayerId);
  });
  await app.deps.database.asTaxpayer(taxpayerId, async (sql) => {
    const scope = { taxpayerId, userId, route: 'POST /v1/clients', key: 'once' };
    const claim = crypto.randomUUID();
    await claimKey(sql, scope, { claim, fingerprint: null, seconds: 60 });
    await readKey(sql, scope);
    await extendClaim(sql, scope, claim, 90);
    await keepUsedPrices(sql, taxpayerId, new Date());
    const users = { there: null, here: userId };
    for (const shape of await selectShapes(sql, ['messages', 'muted_notifications'])) {
      await insertRows(sql, taxpayerId, shape, { rows: [], columns: shape.columns, users });
    }
  });
}
