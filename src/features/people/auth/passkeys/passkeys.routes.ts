import { type Context, Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import { closed, idParams, listOf, problems, query } from '../../../../http/schemas.ts';
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

const tags = ['Accounts'];

export interface PasskeyOptions {
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
    .post('/sign-in/options', ({ request }) => offerSignIn(deps, request), {
      response: { 200: SignInOptions },
      detail: {
        summary: 'Begin a sign-in with a passkey',
        description:
          'The response is the same for everyone. Also use this to begin confirming your identity (`reauthenticate`).',
        operationId: 'createPasskeySignInOptions',
        tags,
      },
    })
    .post(
      '/sign-in',
      async ({ body, request, set }) => welcome(set, await signInByPasskey(deps, request, body.passkey)),
      {
        body: signInBody,
        response: { 200: Account, ...problems('account_deleted', 'passkey_refused') },
        detail: {
          summary: 'Sign in with a passkey',
          description: 'A passkey replaces both the password and the second factor.',
          operationId: 'signInWithPasskey',
          tags,
        },
      },
    )
    .get(
      '',
      async ({ caller }) => {
        const rows = await deps.database.asService((sql) => selectPasskeys(sql, caller.userId));
        return { data: rows.map(passkeyView), hasMore: false, nextCursor: null };
      },
      {
        signedIn: true,
        query: query({}),
        response: { 200: listOf(Passkey) },
        detail: { summary: 'List the passkeys of the account, newest first', operationId: 'listPasskeys', tags },
      },
    )
    .post('/options', ({ caller }) => offerRegistration(deps, caller), {
      signedIn: true,
      response: { 200: RegistrationOptions, ...problems('reauthentication_required') },
      detail: {
        summary: 'Begin adding a passkey',
        description: 'Requires a recent sign-in.',
        operationId: 'createPasskeyOptions',
        tags,
      },
    })
    .post('', async ({ body, caller, status }) => status(201, await addPasskey(deps, caller, body)), {
      signedIn: true,
      body: registrationBody,
      response: { 201: NewPasskey, ...problems('conflict', 'passkey_refused', 'reauthentication_required') },
      detail: {
        summary: 'Add a passkey',
        description:
          'Requires a recent sign-in. From then on, the passkey is enough to sign in, and a sign-in with the password requires the passkey or another second factor.',
        operationId: 'createPasskey',
        tags,
      },
    })
    .patch(
      '/:id',
      async ({ body, caller, params }) => {
        const passkey = { userId: caller.userId, id: parseUuid(params.id), name: body.name.trim() };
        const row = await deps.database.asService((sql) => renamePasskey(sql, passkey));
        if (row === undefined) throw notFound();
        return passkeyView(row);
      },
      {
        signedIn: true,
        params: idParams,
        body: closed({ name: passkeyName }, { examples: [{ name: 'Phone' }] }),
        response: { 200: Passkey, ...problems('not_found') },
        detail: { summary: 'Rename a passkey', operationId: 'updatePasskey', tags },
      },
    )
    .delete(
      '/:id',
      async ({ caller, params, set }) => {
        await removePasskey(deps, caller, parseUuid(params.id));
        set.status = 204;
      },
      {
        signedIn: true,
        params: idParams,
        response: { 204: t.Void(), ...problems('not_found', 'conflict', 'reauthentication_required') },
        detail: {
          summary: 'Remove a passkey',
          description: 'Requires a recent sign-in. Rejected if it is your only way to sign in.',
          operationId: 'deletePasskey',
          tags,
        },
      },
    );
