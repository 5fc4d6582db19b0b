import { join } from 'node:path';
import { sessionCookie } from './app.ts';

/** Dumps of released versions, with the results from each version (scripts/released.ts). */
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
