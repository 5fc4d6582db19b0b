import { type Context, Elysia, t } from 'elysia';
import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid, requireFound } from '../../../../http/errors.ts';
import { group, lasting, person } from '../../../../http/operations.ts';
import { closed, listOf, problems } from '../../../../http/schemas.ts';
import { postLetter } from '../../mail/delivery.ts';
import { signInMethodChanged } from '../../mail/templates.ts';
import type { Access, Caller } from '../access.ts';
import { Account } from '../auth.schemas.ts';
import { deleteSpareCodes } from '../factors.queries.ts';
import { requireOtherSignInMethod, requireRecentSignIn, requireSameStamp } from '../recent-proof.ts';
import { createRecoveryCodes } from '../recovery-codes.ts';
import type { SignedInHere } from '../sign-in.ts';
import {
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
  renamePasskey,
  selectCredentialIds,
  selectPasskeys,
} from './passkeys.queries.ts';
import {
  NewPasskey,
  Passkey,
  type PasskeyRegistration,
  passkeyName,
  RegistrationOptions,
  registrationBody,
  SignInOptions,
  signInBody,
} from './passkeys.schemas.ts';
import { consumeChallenge, keepChallenge, offerSignIn, signInByPasskey } from './use.ts';
import { newCredential, registrationOptions } from './webauthn.ts';

const { open, signedIn } = group('Accounts');

interface PasskeyOptions {
  /** Sets the cookies and returns the account. */
  readonly welcome: (set: Context['set'], signedIn: SignedInHere) => Promise<typeof Account.static>;
}

/**
 * Defines the routes for passkeys: sign-in without a password, with a key that a device stores and unlocks with a
 * fingerprint, face or PIN.
 */
export const passkeyRoutes = (deps: Deps, access: Access, { welcome }: PasskeyOptions) =>
  new Elysia({ prefix: '/auth/passkeys' })
    .use(access)
    .post(
      '/sign-in/options',
      ({ request }) => offerSignIn(deps, request),
      open('createPasskeySignInOptions', null, {
        summary: 'Begin a sign-in with a passkey',
        description:
          'The response is the same for everyone. Also use this to begin confirming your identity (`reauthenticate`).',
        response: { 200: SignInOptions },
      }),
    )
    .post(
      '/sign-in',
      async ({ body, request, set }) => welcome(set, await signInByPasskey(deps, request, body.passkey)),
      open('signInWithPasskey', 'signed_in', {
        summary: 'Sign in with a passkey',
        description: 'A passkey replaces both the password and the second factor.',
        body: signInBody,
        response: { 200: Account, ...problems('account_deleted', 'passkey_refused') },
      }),
    )
    .get(
      '',
      async ({ caller }) => {
        const rows = await deps.database.asService((sql) => selectPasskeys(sql, caller.userId));
        return { data: rows.map(passkeyView), hasMore: false, nextCursor: null };
      },
      signedIn('listPasskeys', person(null), {
        summary: 'List the passkeys of the account, newest first',
        response: { 200: listOf(Passkey) },
      }),
    )
    .post(
      '/options',
      ({ caller }) => offerRegistration(deps, caller),
      signedIn('createPasskeyOptions', lasting(null), {
        summary: 'Begin adding a passkey',
        description: 'Requires a recent sign-in.',
        response: { 200: RegistrationOptions, ...problems('reauthentication_required') },
      }),
    )
    .post(
      '',
      async ({ body, caller, status }) => status(201, await addPasskey(deps, caller, body)),
      signedIn('createPasskey', lasting('passkey_added'), {
        summary: 'Add a passkey',
        description:
          'Requires a recent sign-in. From then on, the passkey is enough to sign in, and a sign-in with the password requires the passkey or another second factor.',
        body: registrationBody,
        response: { 201: NewPasskey, ...problems('conflict', 'passkey_refused', 'reauthentication_required') },
      }),
    )
    .patch(
      '/:id',
      async ({ body, caller, params }) => {
        const passkey = { userId: caller.userId, id: parseUuid(params.id), name: body.name.trim() };
        const row = requireFound(await deps.database.asService((sql) => renamePasskey(sql, passkey)));
        return passkeyView(row);
      },
      signedIn('updatePasskey', person('passkey_renamed'), {
        summary: 'Rename a passkey',
        body: closed({ name: passkeyName }, { examples: [{ name: 'Phone' }] }),
        response: { 200: Passkey },
      }),
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await removePasskey(deps, caller, parseUuid(params.id));
      },
      signedIn('deletePasskey', person('passkey_removed'), {
        summary: 'Remove a passkey',
        description: 'Requires a recent sign-in. Rejected if it is your only way to sign in.',
        response: { 204: t.Void(), ...problems('conflict', 'reauthentication_required') },
      }),
    );

const passkeysMax = 20;

/**
 * Returns the options for creating a passkey in the browser. Excludes authenticators that already have a passkey for
 * the account.
 */
async function offerRegistration(deps: Deps, caller: Caller) {
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
async function addPasskey(
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

async function removePasskey(deps: Deps, caller: Caller, id: string): Promise<void> {
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

function passkeyView({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow) {
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
