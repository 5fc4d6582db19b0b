import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged, write } from '../../api/changes.ts';
import { loadAccount } from '../../api/session.ts';

export type ClientStatusRow = Awaited<ReturnType<typeof readClientRows>>['data'][number];

export function readClientRows() {
  return unwrapResponse(api.status.clients.get({ query: { limit: 1000 } }));
}

export function readClient(id: string) {
  return unwrapResponse(api.clients({ id }).get());
}

export type ClientDetails = Awaited<ReturnType<typeof readClient>>;

/** The client form's request. */
export interface ClientFields {
  readonly name: string;
  readonly email: string | null;
  readonly taxpayerName?: string;
  readonly tin?: string;
  readonly timeZone?: string;
}

export async function createClient(fields: ClientFields): Promise<string> {
  const { id } = await unwrapResponse(api.clients.post(fields));
  await reloadAll();
  return id;
}

/** Changes a client. Returns a function that restores the previous details. */
export async function changeClient(before: ClientDetails, fields: ClientFields): Promise<() => Promise<void>> {
  const { id, name, taxpayerName } = before;
  const timeZone = before.timeZoneStated ? before.timeZone : null;
  await write(api.clients({ id }).patch(fields));
  return async () => {
    const former = { name, email: before.email ?? null, taxpayerName, timeZone, tin: before.tin ?? null };
    await write(api.clients({ id }).patch(former));
  };
}

/** Calculates the clients one at a time, each with the year's reports. */
export async function calculateClients(clients: readonly string[], year: number) {
  const { data } = await write(api.clients.calculate.post({ clients: [...clients], year }));
  return data;
}

export async function deleteClient(id: string): Promise<void> {
  await unwrapResponse(api.clients({ id }).delete());
  await reloadAll();
}

/** Reloads the account, which contains the number of clients, and the books. */
async function reloadAll(): Promise<void> {
  await loadAccount();
  booksChanged();
}
