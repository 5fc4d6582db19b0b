import { type Context, Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group, person, read, write } from '../../../http/operations/operations.ts';
import { closed, problems } from '../../../http/schemas.ts';
import { dryRun } from '../../../http/years-preview.ts';
import { worksOnce } from '../mail/letter.ts';
import type { Access } from './access.ts';
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
import { type ExternalServices, resumeExternalServices } from './deletion/cancellation.ts';
import { deletionRoutes } from './deletion/deletion.routes.ts';
import { deviceCookie } from './device.ts';
import { emailRoutes } from './email/email.routes.ts';
import { recoveryRoutes } from './factors.routes.ts';
import { guessesMax } from './guesses/ceiling.ts';
import { identityRoutes } from './identities/identities.routes.ts';
import { methodRoutes } from './methods.routes.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { changeAccount, loadAccount, previewTimeZone, type TimeZoneHooks } from './profile.ts';
import { proofRoutes } from './proof/proof.routes.ts';
import type { Endpoints } from './provider-sign-in.ts';
import { resetRoutes } from './reset.routes.ts';
import { endedSessionHeaders, sessionCookie } from './session.ts';
import { deleteSession } from './sessions.queries.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { changePassword, login, register, type SignedInHere } from './sign-in.ts';
import { signInLinkMinutes, useSignInLink } from './sign-in-link.ts';
import { tokenRoutes } from './tokens/tokens.routes.ts';
import { totpRoutes } from './totp/totp.routes.ts';

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
    .use(account(deps, access, options));

const { open, signedIn } = group('Accounts');
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
