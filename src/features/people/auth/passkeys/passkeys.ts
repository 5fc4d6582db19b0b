import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { notFound } from '../../../../http/errors.ts';
import { postLetter } from '../../mail/post.ts';
import { signInMethodChanged } from '../../mail/templates.ts';
import type { Caller } from '../access.ts';
import { deleteSpareCodes } from '../factors.queries.ts';
import { requireOtherSignInMethod, requireRecentSignIn, requireSameStamp } from '../proof/recent.ts';
import { createRecoveryCodes } from '../recovery-codes.ts';
import { deletePasskey, insertPasskey, type PasskeyRow, selectCredentialIds } from './passkeys.queries.ts';
import type { PasskeyRegistration } from './passkeys.schemas.ts';
import { consumeChallenge, keepChallenge } from './use.ts';
import { newCredential, registrationOptions } from './webauthn.ts';

const passkeysMax = 20;

/**
 * Returns the options for creating a passkey in the browser. Excludes authenticators that already have a passkey for
 * the account.
 */
export async function offerRegistration(deps: Deps, caller: Caller) {
  requireRecentSignIn(caller);
  const { userId, email } = caller;
  const known = await deps.database.asService((sql) => selectCredentialIds(sql, userId));
  const made = await registrationOptions(deps.config, { userId, email, known });
  await keepChallenge(deps, made.challenge, caller);
  return {
    challenge: made.challenge,
    rp: { id: made.rp.id ?? '', name: made.rp.name },
    user: made.user,
    pubKeyCredParams: made.pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' as const })),
    timeout: made.timeout ?? 0,
    attestation: 'none' as const,
    excludeCredentials: known.map((id) => ({ id, type: 'public-key' as const })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
  };
}

/**
 * Adds a passkey. From then on, the passkey is enough to sign in, and a sign-in with the password requires a second
 * factor.
 */
export async function addPasskey(
  deps: Deps,
  caller: Caller,
  newPasskey: { readonly name: string; readonly passkey: PasskeyRegistration },
) {
  requireRecentSignIn(caller);
  const { userId } = caller;
  const challenge = await consumeChallenge(deps, newPasskey.passkey.response.clientDataJSON, userId);
  const credential =
    challenge === undefined ? undefined : await newCredential(deps.config, newPasskey.passkey, challenge);
  if (credential === undefined) throw refusedRegistration();
  const passkey = { ...credential, userId, name: newPasskey.name.trim(), most: passkeysMax };
  const added = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    const row = await insertPasskey(sql, passkey);
    if (row === undefined) throw passkeyRefused();
    await mailChange(deps, sql, caller, row.name, 'added');
    return { row, recoveryCodes: await createRecoveryCodes(sql, userId, { isAnew: false }) };
  });
  return { ...passkeyView(added.row), recoveryCodes: added.recoveryCodes };
}

export async function removePasskey(deps: Deps, caller: Caller, id: string): Promise<void> {
  requireRecentSignIn(caller);
  await deps.database.asService(async (sql) => {
    const name = await deletePasskey(sql, caller.userId, id);
    if (name === undefined) throw notFound();
    await requireOtherSignInMethod(sql, caller.userId);
    await deleteSpareCodes(sql, caller.userId);
    await mailChange(deps, sql, caller, name, 'removed');
  });
}

async function mailChange(deps: Deps, sql: Sql, { email }: Caller, name: string, how: 'added' | 'removed') {
  await postLetter(deps, sql, email, signInMethodChanged(deps.config.baseUrl, `The passkey “${name}”`, how));
}

export function passkeyView({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow) {
  return {
    id,
    name,
    synced: isSynced,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

function refusedRegistration(): Refusal {
  return invalidMember(
    '/passkey',
    'This passkey was not created for your account here, or it took too long. Try again.',
  );
}

function passkeyRefused(): Refusal {
  return new Refusal(
    'conflict',
    `This passkey is already registered, or the account has the maximum of ${passkeysMax} passkeys. Remove one or use a different passkey.`,
  );
}
