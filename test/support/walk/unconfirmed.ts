import type { TestClient } from '../app.ts';
import { isPublic, nameOf } from './api-document.ts';
import type { ApiWalk, WalkObserver, WalkStep } from './api-walk.ts';
import { ruleFor } from './operations.ts';

/** Sends each operation as a user whose email address is not confirmed, and as a user whose address is. */
export interface UnconfirmedObserver extends WalkObserver {
  /** The operations that refuse an unconfirmed address, by name. */
  readonly refused: readonly string[];
  /** Returns whether the unconfirmed user has anything that outlives the session. */
  leftBehind(): Promise<boolean>;
}

/** These end sessions. */
const endings = ['DELETE /v1/account', 'DELETE /v1/auth/sessions', 'POST /v1/auth/logout'];

export async function openUnconfirmed({ app }: ApiWalk): Promise<UnconfirmedObserver> {
  const [unconfirmed, confirmed] = [await app.register('CPA', { isVerified: false }), await app.register('CPA')];
  const refused: string[] = [];
  const asked = new Set<string>();

  /** Sends the operation with an unknown id and the body of its example. */
  const ask = async (who: TestClient, { method, path, operation }: WalkStep) => {
    const address = path.replace('{year}', '2024').replace(/\{\w+\}/g, crypto.randomUUID());
    const [media] = Object.values(operation.requestBody?.content ?? {});
    const response = await who.request(method, address, media?.example === undefined ? {} : { body: media.example });
    return { status: response.status, text: await response.text() };
  };

  return {
    refused,
    leftBehind: async () => {
      const rows = await app.books.asOwner(
        (sql) => sql`
          select 1 from users u where u.email = ${unconfirmed.email} and (
            exists (select from access_tokens t where t.user_id = u.id)
            or exists (select from passkeys p where p.user_id = u.id)
            or exists (select from identities i where i.user_id = u.id)
            or exists (select from totp_keys k where k.user_id = u.id)
            or exists (select from recovery_codes c where c.user_id = u.id)
            or exists (select from invitations v where v.user_id = u.id)
            or exists (select from subscriptions s where s.user_id = u.id))`,
      );
      return rows.length > 0;
    },
    before: async (step) => {
      const name = nameOf(step);
      const isStream = step.path.endsWith('/stream') || step.path.endsWith('/events');
      if (isPublic(step.operation) || isStream || endings.includes(name) || step.path === '/mcp') return [];
      if (asked.has(name)) return [];
      asked.add(name);
      const faults: string[] = [];
      const first = await ask(unconfirmed, step);
      const isRefused = first.text.includes('email_unverified');
      if (isRefused) refused.push(name);
      if (isRefused && (first.status !== 403 || !first.text.includes('lotbook user verify')))
        faults.push(`with an unconfirmed address: ${first.status} ${first.text}`);
      if (isRefused !== (ruleFor(step)?.needsVerifiedEmail === true))
        faults.push(`with an unconfirmed address: ${first.status}, which is not the rule of the operation`);
      const second = await ask(confirmed, step);
      if (second.text.includes('email_unverified')) faults.push(`with a confirmed address: ${second.text}`);
      return faults;
    },
  };
}
