import { type Context, Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { parseUuid, requireFound } from '../../../../http/errors.ts';
import { group, lasting, person } from '../../../../http/operations/operations.ts';
import { closed, listOf, problems } from '../../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { Account } from '../auth.schemas.ts';
import type { SignedInHere } from '../sign-in.ts';
import { renamePasskey, selectPasskeys } from './passkeys.queries.ts';
import {
  NewPasskey,
  Passkey,
  passkeyName,
  RegistrationOptions,
  registrationBody,
  SignInOptions,
  signInBody,
} from './passkeys.schemas.ts';
import { addPasskey, offerRegistration, passkeyView, removePasskey } from './passkeys.ts';
import { offerSignIn, signInByPasskey } from './use.ts';

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
