import { listExchanges } from '../../src/features/ledger/connections/exchanges.ts';
import { Syncer } from '../../src/features/ledger/connections/sync.ts';
import { openImports } from '../../src/features/ledger/imports/open.ts';
import type { TestApp, TestClient } from './app.ts';

export interface ConnectionView {
  readonly id: string;
  readonly kind: string;
  readonly account: string;
  readonly automatic: boolean;
  readonly state: 'idle' | 'syncing' | 'waiting' | 'failed';
  readonly progress: { readonly pages: number } | null;
  readonly problem: { readonly code: string; readonly detail: string } | null;
  readonly lastSyncAt: string | null;
  readonly nextSyncAt: string | null;
  readonly lastImportId: string | null;
}

/** Creates a server's part that syncs, without the pauses between requests. */
export function openSyncer({ deps }: Pick<TestApp, 'deps'>): Syncer {
  const exchanges = listExchanges(deps).map((one) => ({ ...one, pauseMilliseconds: 0 }));
  return new Syncer(openImports(deps), exchanges);
}

/** Works on all due connections until they have ended or wait. */
export async function syncDue(app: Pick<TestApp, 'deps'>): Promise<void> {
  await openSyncer(app).look(new AbortController().signal);
}

export async function connect(
  client: TestClient,
  kind: string,
  { key, secret }: { readonly key: string; readonly secret: string },
  more: object = {},
): Promise<ConnectionView> {
  return client.json<ConnectionView>('POST', '/v1/connections', { body: { kind, key, secret, ...more } }, 201);
}

export async function requestSync(client: TestClient, { id }: Pick<ConnectionView, 'id'>): Promise<ConnectionView> {
  return client.json<ConnectionView>('POST', `/v1/connections/${id}/sync`);
}

export async function listConnections(client: TestClient): Promise<ConnectionView[]> {
  return (await client.json<{ data: ConnectionView[] }>('GET', '/v1/connections')).data;
}
