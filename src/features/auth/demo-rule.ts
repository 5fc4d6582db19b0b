import { Refusal } from '../../base/refusal.ts';
import { getRequestFacts } from '../../http/requests.ts';

/** Operations that use POST but change neither the books nor the account: simulating a sale and signing out. */
const harmless: ReadonlySet<string> = new Set(['POST /v1/tax/what-if', 'POST /v1/auth/logout']);

/**
 * All visitors share the demo books, so every change to them or to the account is refused. A dry run stores nothing and
 * is allowed. The dry run of a file is not: other visitors would see its name while it is read.
 */
export function refuseDemoWrite(request: Request): void {
  const { method, url } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const { route } = getRequestFacts(request);
  if (harmless.has(`${method} ${route?.template}`)) return;
  // A route without dry runs has already rejected the unknown parameter.
  const isDryRun = new URL(url).searchParams.get('dryRun') === 'true';
  if (isDryRun && route?.streams === false) return;
  throw new Refusal('forbidden', 'The demo books are read-only. Create an account to make changes.');
}
