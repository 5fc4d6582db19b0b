import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tarEntries } from '../../src/base/tar.ts';
import { decompress } from '../../src/base/zstd.ts';
import { packagedPostgres } from '../../src/db/postgres-programs.ts';
import { runnerFor } from '../../src/db/unprivileged-runner.ts';
import { sessionCookie } from './app.ts';

/** Dumps and data folders of released versions, with the results from each version (scripts/released.ts). */
export const releasedFolder = join(import.meta.dir, '..', 'released');

interface Answering {
  fetch(request: Request): Response | Promise<Response>;
}

/** Returns the summary of each year of an account, without the revision, which changes with the rules. */
export async function fetchSummaries(
  app: Answering,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<unknown[]> {
  const headers = { 'content-type': 'application/json' };
  const signIn = new Request('http://localhost/v1/auth/login', {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  const signedIn = await app.fetch(signIn);
  if (!signedIn.ok) throw new Error(`sign-in: ${signedIn.status} ${await signedIn.text()}`);
  const cookie = sessionCookie(signedIn);
  const ask = async (path: string): Promise<unknown> => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { headers: { cookie } }));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { data } = (await ask('/v1/tax/years')) as { data: { year: number }[] };
  const summaries: unknown[] = [];
  for (const { year } of data) {
    const { revision: _, ...summary } = (await ask(`/v1/tax/summary?year=${year}`)) as { revision: string };
    summaries.push(summary);
  }
  return summaries;
}

/** Unpacks the data folder of a released version, for the user that PostgreSQL runs as. */
export async function unpackDataFolder(version: string, folder: string): Promise<void> {
  const { identity } = runnerFor(join(folder, 'postgres'), packagedPostgres());
  for await (const { name, content } of tarEntries(
    decompress(Bun.file(join(releasedFolder, `${version}.data.tar.zst`)).stream()),
  )) {
    const path = join(folder, name);
    if (name.endsWith('/')) mkdirSync(path, { mode: 0o700 });
    else await Bun.write(path, Buffer.concat(await Array.fromAsync(content)), { mode: 0o600 });
    if (identity !== null && name.startsWith('postgres/')) chownSync(path, identity.uid, identity.gid);
  }
}
