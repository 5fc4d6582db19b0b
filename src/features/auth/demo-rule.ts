import { Refusal } from '../../base/refusal.ts';
import { factsOf } from '../../http/requests.ts';

/** What changes nothing of the books and of the account, though it is sent by POST: trying a sale, and leaving. */
const harmless: ReadonlySet<string> = new Set(['POST /v1/tax/what-if', 'POST /v1/auth/logout']);

/**
 * The demo books are shared by all who look at them: whatever would change them, or the account, is refused. A dry run
 * keeps nothing, so it may be tried. That of a file may not: others would see its name while it is read.
 */
export function refuseDemoWrite(request: Request): void {
  const { method, url } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const { route } = factsOf(request);
  if (harmless.has(`${method} ${route?.template}`)) return;
  // A route without dry runs does not know the parameter, and has refused it by now.
  const isDryRun = new URL(url).searchParams.get('dryRun') === 'true';
  if (isDryRun && route?.streams === false) return;
  throw new Refusal('forbidden', 'These are the demo books: create an account to change anything.');
}
