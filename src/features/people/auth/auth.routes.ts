import { type Context, Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group, person, read, write } from '../../../http/operations.ts';
import { closed, oneOf, problems, whole } from '../../../http/schemas.ts';
import { dryRun } from '../../../http/years-preview.ts';
import { worksOnce } from '../mail/letter.ts';
import type { Access, Caller } from './access.ts';
import { providers } from './auth.queries.ts';
import {
  Account,
  AccountUpdate,
  AccountUpdateResult,
  email,
  linkBody,
  newPassword,
  newTimeZone,
  passwordInput,
} from './auth.schemas.ts';
import { cancelDeletionByLink, type ExternalServices, resumeExternalServices } from './cancellation.ts';
import { deleteAccount } from './deletion.ts';
import { deviceCookie } from './device.ts';
import {
  confirmEmailChange,
  emailChangeMinutes,
  emailUndoDays,
  requestEmailChange,
  undoEmailChange,
  undoOutcomes,
} from './email/email-change.ts';
import { mailVerificationAgain, verificationDays, verifyEmail } from './email/verification.ts';
import { readMethods } from './factors.queries.ts';
import { guessesMax } from './guess-ceiling.ts';
import { identityRoutes } from './identities.routes.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { PasskeyAssertion } from './passkeys/passkeys.schemas.ts';
import { changeAccount, loadAccount, previewTimeZone, type TimeZoneHooks } from './profile.ts';
import { programRoutes } from './programs/programs.routes.ts';
import { reauthenticate } from './proof.ts';
import type { Endpoints } from './provider-sign-in.ts';
import { recentMinutes } from './recent-proof.ts';
import { resetRoutes } from './reset.routes.ts';
import { endedSessionHeaders, sessionCookie } from './session.ts';
import { deleteSession } from './sessions.queries.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { changePassword, login, register, type SignedInHere } from './sign-in.ts';
import { signInLinkMinutes, useSignInLink } from './sign-in-link.ts';
import { tokenRoutes } from './tokens/tokens.routes.ts';
import { recoveryRoutes, totpRoutes } from './totp/totp.routes.ts';

const { open, signedIn } = group('Accounts');

interface AuthOptions extends TimeZoneHooks {
  /** The configured sign-in providers. */
  readonly endpoints: Endpoints | undefined;
  readonly elsewhere: ExternalServices;
}

/** Defines the routes for registration, sign-in, sign-out, sessions, the password, and the account itself. */
export const auth = (deps: Deps, access: Access, options: AuthOptions) =>
  new Elysia()
    .use(access)
    .use(signIn(deps, access, options))
    .use(resetRoutes(deps))
    .use(totpRoutes(deps, access))
    .use(emailRoutes(deps, access, options.elsewhere))
    .use(proofRoutes(deps, access))
    .use(methodRoutes(deps, access))
    .use(recoveryRoutes(deps, access))
    .use(identityRoutes(deps, access, { ...options, welcome: (set, signedIn) => welcome(deps, set, signedIn) }))
    .use(passkeyRoutes(deps, access, { welcome: (set, signedIn) => welcome(deps, set, signedIn) }))
    .use(sessionRoutes(deps, access))
    .use(tokenRoutes(deps, access))
    .use(programRoutes(deps, access))
    .use(account(deps, access, options));

/** The sign-in data in the examples of the API document. */
const credentials = { email: 'ann@example.com', password: 'correct horse battery staple' };

/** Sets the cookies of a successful sign-in and returns the account. */
async function welcome(deps: Deps, set: Context['set'], { userId, token, device }: SignedInHere) {
  set.headers['set-cookie'] = [sessionCookie(token, deps.config), deviceCookie(device.secret, deps.config)];
  return loadAccount(deps, userId);
}

const signIn = (deps: Deps, access: Access, { elsewhere }: AuthOptions) =>
  new Elysia({ prefix: '/auth' })
    .use(access)
    .post(
      '/register',
      async ({ body, request, set, status }) =>
        status(201, await welcome(deps, set, await register(deps, request, body))),
      open('createAccount', 'account_created', {
        summary: 'Create an account and sign in',
        body: closed(
          { email, password: newPassword, timeZone: t.Optional(newTimeZone) },
          { examples: [{ ...credentials, timeZone: 'America/New_York' }] },
        ),
        response: { 201: Account, ...problems('email_taken') },
      }),
    )
    .post(
      '/login',
      async ({ body, request, set }) =>
        welcome(
          deps,
          set,
          await login(deps, request, body, (account) => resumeExternalServices(deps, elsewhere, account)),
        ),
      open('signIn', 'signed_in', {
        summary: 'Sign in',
        description:
          'Returns 401 `sign_in_link_required` in an unknown browser after many wrong passwords for the account. If the password was right, we email a link (`POST /v1/auth/login/link`). Returns 401 `account_deleted` if the account is deleted and will be erased at `erasedAt`. To cancel the deletion, send the same request with `restore`.',
        body: closed(
          {
            email: t.String({ maxLength: 1000 }),
            password: passwordInput,
            totp: t.Optional(
              t.String({
                maxLength: 100,
                description: 'A code from the app or a recovery code, if a second factor is set up.',
              }),
            ),
            restore: t.Optional(
              t.Boolean({
                description: 'Cancels the account’s deletion if the account is deleted but not erased yet.',
              }),
            ),
          },
          { examples: [credentials] },
        ),
        response: {
          200: Account,
          ...problems(
            'invalid_credentials',
            'totp_required',
            'sign_in_link_required',
            'account_deleted',
            'unauthenticated',
            'not_found',
          ),
        },
      }),
    )
    .post(
      '/login/link',
      async ({ body, request, set }) => {
        set.headers['set-cookie'] = await useSignInLink(deps, request, body.token);
      },
      open('verifyBrowser', 'sign_in_link_used', {
        summary: 'Register this browser with an emailed link',
        description: `After ${guessesMax} wrong passwords or codes in a row, an unknown browser gets 401 \`sign_in_link_required\`. If the password is right, we email a link to the account’s address. ${worksOnce(`${signInLinkMinutes} minutes`)} It expires when the password changes. It sets the cookie \`device\` but does not sign you in. Sign in afterwards.`,
        body: linkBody('onuwo3tjnyqgy2lonmqg633qmvxgk2df'),
        response: { 204: t.Void() },
      }),
    )
    .post(
      '/logout',
      async ({ caller, set }) => {
        await deps.database.asService((sql) => deleteSession(sql, caller.userId, caller.sessionId));
        Object.assign(set.headers, endedSessionHeaders(deps.config));
      },
      signedIn('signOut', person('signed_out'), { summary: 'End this session', response: { 204: t.Void() } }),
    )
    .post(
      '/password',
      async ({ body, caller, request }) => {
        await changePassword(deps, request, caller, body);
      },
      signedIn('updatePassword', person('password_changed'), {
        summary: 'Change the password and end the other sessions',
        description:
          'Leave out `current` only if the account has no password yet because it signs in through a provider. In that case, a recent sign-in is required.',
        body: closed(
          { current: t.Optional(passwordInput), password: newPassword },
          { examples: [{ current: credentials.password, password: 'a longer horse, a better battery' }] },
        ),
        response: { 204: t.Void(), ...problems('invalid_credentials', 'reauthentication_required') },
      }),
    );

const account = (deps: Deps, access: Access, { onTimeZoneChange, tryChange, elsewhere }: AuthOptions) =>
  new Elysia({ prefix: '/account' })
    .use(access)
    .get(
      '',
      ({ caller }) => loadAccount(deps, caller.userId),
      signedIn('getAccount', read, { summary: 'Get the account, its plan and its usage', response: { 200: Account } }),
    )
    .patch(
      '',
      async ({ body, caller, query: { dryRun } }) => {
        if (dryRun === true) {
          const tried = await previewTimeZone(deps, caller, body, { onTimeZoneChange, tryChange });
          return { ...(await loadAccount(deps, caller.userId)), ...tried };
        }
        await changeAccount(deps, caller, body, onTimeZoneChange);
        return loadAccount(deps, caller.userId);
      },
      signedIn('updateAccount', write('account_changed'), {
        summary: 'Update the account',
        description:
          'A new `timeZone` recalculates the dates of transactions that have a time of day, and the resulting gains. With `dryRun=true` nothing is saved, and `preview` shows the effect of the time zone.',
        query: { dryRun },
        body: AccountUpdate,
        response: { 200: AccountUpdateResult, ...problems('year_locked') },
      }),
    )
    .use(deletionRoutes(deps, access, elsewhere));

/** Defines the routes that delete the account, and cancel the deletion within the grace period. */
const deletionRoutes = (deps: Deps, access: Access, elsewhere: ExternalServices) =>
  new Elysia()
    .use(access)
    .delete(
      '',
      async ({ body, caller, set }) => {
        const erasedAt = await deleteAccount(deps, caller, body.password, elsewhere);
        Object.assign(set.headers, endedSessionHeaders(deps.config));
        if (erasedAt !== null) set.headers['erased-at'] = erasedAt.toISOString();
      },
      signedIn('deleteAccount', person('account_deleted'), {
        summary: 'Delete the account and all its data',
        description:
          'All sessions, tokens and event streams of the account end immediately. Other people lose access to its books, and it loses access to theirs. A subscription ends with the paid period. The email address becomes free for a new account. The data is erased after the grace period (`limits.deletionGraceDays` in `/config`), on the date in the header `Erased-At`. Until then you can cancel the deletion: sign in with `restore`, or use the emailed link.',
        body: closed({ password: passwordInput }, { examples: [{ password: 'correct horse battery staple' }] }),
        response: { 204: t.Void(), ...problems('invalid_credentials', 'billing_failed') },
      }),
    )
    .post(
      '/restore',
      async ({ body, request }) => {
        await cancelDeletionByLink(deps, request, elsewhere, body.token);
      },
      open('revokeAccountDeletion', 'account_deletion_taken_back', {
        summary: 'Cancel the account deletion with the emailed link',
        description:
          'Works until the account is erased. Does not sign you in. Returns 409 `email_taken` if a new account uses the address.',
        body: linkBody('mjqxg2lfmnwgc3tsmvzxi33smvzxi33s'),
        response: { 204: t.Void(), ...problems('email_taken', 'conflict') },
      }),
    );

/** Defines the routes that change and confirm the account's email address. */
const emailRoutes = (deps: Deps, access: Access, elsewhere: ExternalServices) =>
  new Elysia({ prefix: '/auth/email' })
    .use(access)
    .post(
      '',
      async ({ body, caller, set }) => {
        await requestEmailChange(deps, caller, body);
        set.status = 202;
      },
      signedIn('createEmailChange', person('email_change_asked'), {
        summary: 'Request a change of the email address',
        description:
          'Emails a link to the new address, and a link that cancels the change to the current one. You can omit `password` after a recent sign-in. The response is the same if the new address is already taken.',
        body: closed(
          { email, password: t.Optional(passwordInput) },
          { examples: [{ email: 'ann.fields@example.com', password: 'correct horse battery staple' }] },
        ),
        response: { 202: t.Void(), ...problems('invalid_credentials', 'reauthentication_required') },
      }),
    )
    .post(
      '/confirm',
      async ({ body, request }) => {
        await confirmEmailChange(deps, request, body.token);
      },
      open('verifyEmailChange', 'email_changed', {
        summary: 'Change the email address with the emailed link',
        description: `${worksOnce(`${emailChangeMinutes} minutes`)} It expires earlier if the password changes or all sessions end. If the previous address was ever confirmed, it receives a link to undo the change.`,
        body: linkBody('nbswy3dpo5xxe3denbswy3dpo5xxe3de'),
        response: { 204: t.Void(), ...problems('email_taken') },
      }),
    )
    .post(
      '/undo',
      async ({ body, request }) => ({ outcome: await undoEmailChange(deps, request, elsewhere, body.token) }),
      open('revokeEmailChange', 'email_change_undone', {
        summary: 'Cancel or undo an email address change with the emailed link',
        description: `The link is sent to the previous address and works once, within ${emailUndoDays} days, even after a password change. It cancels a pending change. It undoes a completed change, even if the account was deleted in the meantime. An undo ends all sessions and removes the password. It also removes every token, passkey, linked account, authenticator app, recovery code, invitation and grant that was added since the day before the change was requested. The address then receives a link to set a new password.`,
        body: linkBody('orugkidmnfxgw4tbnzsgk3lvmrxw2zjo'),
        response: {
          200: closed(
            { outcome: oneOf(undoOutcomes, '`canceled`: the change was pending. `undone`: the change was complete.') },
            { title: 'EmailChangeRevocation', examples: [{ outcome: 'undone' }] },
          ),
          ...problems('email_taken'),
        },
      }),
    )
    .post(
      '/verification',
      async ({ caller, set }) => {
        await mailVerificationAgain(deps, caller);
        set.status = 202;
      },
      signedIn('createEmailVerification', person('email_verification_asked'), {
        summary: 'Send another link to confirm the email address',
        description:
          'The first link is sent when the account is created. Until the address is confirmed, you cannot create anything that outlives a session (403 `email_unverified`).',
        response: { 202: t.Void() },
      }),
    )
    .post(
      '/verify',
      async ({ body, request }) => {
        await verifyEmail(deps, request, body.token);
      },
      open('verifyEmail', 'email_verified', {
        summary: 'Confirm the email address with the emailed link',
        description: worksOnce(`${verificationDays} days`),
        body: linkBody('ozsxe2lgpfwwc2lmnrxw62ztmvqwy3df'),
        response: { 204: t.Void() },
      }),
    );

const SignInMethods = closed(
  {
    password: t.Boolean(),
    totp: t.Boolean({ description: 'Whether an authenticator app is set up.' }),
    passkeys: whole({ description: 'Number of passkeys.' }),
    providers: t.Array(oneOf(providers), { description: 'Provider accounts that can sign in to this account.' }),
  },
  { title: 'SignInMethods' },
);

/** Defines the route that lists the caller's ways to sign in. */
const methodRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth' }).use(access).get(
    '/methods',
    ({ caller }) => loadMethods(deps, caller),
    signedIn('listSignInMethods', person(null), {
      summary: 'List the ways to sign in',
      description:
        'You can also use any of them to confirm your identity. Signing in through a provider opens a new session.',
      response: { 200: SignInMethods },
    }),
  );

async function loadMethods({ database }: Deps, { userId }: Caller) {
  const methods = await database.asService((sql) => readMethods(sql, userId));
  return methods ?? { password: false, totp: false, passkeys: 0, providers: [] };
}

/** Defines the route that confirms the user's identity in an open session. */
const proofRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth' }).use(access).post(
    '/reauthenticate',
    async ({ body, caller, set }) => {
      set.headers['set-cookie'] = await reauthenticate(deps, caller, body);
    },
    signedIn('verifyIdentity', person('identity_proved'), {
      summary: 'Confirm your identity again',
      description: `Operations that change sign-in methods, create tokens, give access or delete something return \`reauthentication_required\` if the last proof of identity is more than ${recentMinutes} minutes old. Signing in counts as a proof. The session continues with a new cookie.`,
      body: closed(
        {
          password: t.Optional(passwordInput),
          totp: t.Optional(
            t.String({ maxLength: 100, description: 'A code from the authenticator app, or a recovery code.' }),
          ),
          passkey: t.Optional(PasskeyAssertion),
        },
        {
          description: 'Contains exactly one of the fields.',
          examples: [{ password: 'correct horse battery staple' }],
        },
      ),
      response: { 204: t.Void(), ...problems('invalid_credentials', 'passkey_refused', 'totp_required') },
    }),
  );
