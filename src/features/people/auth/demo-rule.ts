import { Refusal } from '../../../base/refusal.ts';
import { getRequestFacts } from '../../../http/requests.ts';

/** POST operations that change neither the books nor the account. A question in the demo is not stored. */
const harmless: ReadonlySet<string> = new Set(['POST /v1/tax/what-if', 'POST /v1/ai/messages', 'POST /v1/auth/logout']);

/**
 * Rejects changes to the demo books and the demo account, because all visitors share them. Allows dry runs, which store
 * nothing. Rejects a dry run of a file, because other visitors would see the file's name while it is read.
 */
export function refuseDemoWrite(request: Request): void {
  const { method, url } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const { route } = getRequestFacts(request);
  if (harmless.has(`${method} ${route?.template}`)) return;
  // Routes without dry runs have already rejected the parameter as unknown.
  const isDryRun = new URL(url).searchParams.get('dryRun') === 'true';
  if (isDryRun && route?.streams === false) return;
  throw new Refusal('forbidden', 'The demo books are read-only. Create an account to make changes.');
}
