import { effect, signal } from '@preact/signals';
import { browserTimeZone } from '../format/dates.ts';
import { api, booksChanged, type DataOf, forgetAll, request, unwrapResponse } from './api.ts';
import { type Problem, toProblem } from './problem.ts';
import { signedOut } from './proof-request.ts';

export type Account = DataOf<typeof api.account.get>;

/** The signed-in user: undefined while unknown, null without a session. */
export const account = signal<Account | null | undefined>(undefined);

/** The local storage key that records a sign-in in this browser. */
const signedInHere = 'signedIn';

/** True if a session ended without the user signing out in this tab. The sign-in page says so. */
export const hasSessionEnded = signal(false);

/** Why the user is unknown, if the server could not be reached. */
export const accountProblem = signal<Problem | null>(null);

export async function loadAccount(): Promise<void> {
  // No one signed in here. A request would only log a 401 in the browser's console.
  const hasArrived = location.pathname === '/auth/callback' && location.search === '';
  const mayBeSignedIn = localStorage.getItem(signedInHere) !== null || hasArrived;
  if (!mayBeSignedIn) {
    account.value = null;
    return;
  }
  try {
    accountProblem.value = null;
    account.value = await unwrapResponse(api.account.get());
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status === 401) account.value = null;
    else accountProblem.value = problem;
  }
}

/** Signs in. `restore` cancels the deletion of the account. */
export async function signIn(email: string, password: string, totp: string, restore: boolean): Promise<void> {
  const credentials = { email, password, ...(totp === '' ? {} : { totp }), ...(restore ? { restore } : {}) };
  enterAccount(await unwrapResponse(api.auth.login.post(credentials)));
}

/** Sends the second factor for a sign-in through a provider. */
export async function finishSignIn(totp: string): Promise<void> {
  enterAccount(await unwrapResponse(api.auth.login.factor.post({ totp })));
}

/** Completes a sign-in made another way. */
export function enterAccount(who: Account): void {
  account.value = who;
  forgetAll();
}

export async function register(email: string, password: string): Promise<void> {
  const timeZone = browserTimeZone();
  enterAccount(
    await unwrapResponse(api.auth.register.post({ email, password, ...(timeZone === '' ? {} : { timeZone }) })),
  );
}

/** Opens the demo books without an account. */
export async function openDemo(): Promise<void> {
  enterAccount(await unwrapResponse(api.auth.demo.post()));
}

/** What else to end along with the old password and its sessions. */
interface ResetChoices {
  readonly end: readonly Endable[];
  readonly deleteBooks: boolean;
}
type Endable = NonNullable<Parameters<typeof api.auth.password.reset.confirm.post>[0]['end']>[number];

/** Sets a password with an emailed link. All sessions end, including the one in this browser. */
export async function resetPassword(
  token: string,
  password: string,
  { end, deleteBooks }: ResetChoices,
): Promise<void> {
  await unwrapResponse(api.auth.password.reset.confirm.post({ token, password, end: [...end], deleteBooks }));
  leave();
}

/** Stops reading first because requests in flight would be refused. */
export async function signOut(): Promise<void> {
  const before = account.value;
  account.value = null;
  forgetAll();
  try {
    await unwrapResponse(api.auth.logout.post());
    sessionStorage.clear();
  } catch (error) {
    account.value = before;
    throw error;
  }
}

/** Signs out everywhere, including this browser. */
export async function signOutEverywhere(): Promise<void> {
  await unwrapResponse(api.auth.sessions.delete());
  leave();
}

type AccountPatch = Parameters<typeof api.account.patch>[0];

/** Changes the account. Returns a function that undoes it. */
export async function changeAccount(patch: AccountPatch): Promise<() => Promise<void>> {
  const before = account.peek();
  account.value = await unwrapResponse(api.account.patch(patch));
  booksChanged();
  return async () => {
    if (!before) return;
    const { name, taxpayerName, tin = null } = before;
    const timeZone = before.timeZoneStated ? before.timeZone : null;
    account.value = await unwrapResponse(api.account.patch({ name, taxpayerName, timeZone, tin }));
    booksChanged();
  };
}

/** Deletes the account. Returns when all its data will be permanently erased, or null if it already has been. */
export async function deleteAccount(password: string): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  const response = await request('/v1/account', { method: 'DELETE', headers, body: JSON.stringify({ password }) });
  leave();
  return response.headers.get('erased-at');
}

/** Clears the books from this tab. Browsers follow the server's instruction to do so only over HTTPS. */
function leave(): void {
  account.value = null;
  forgetAll();
  sessionStorage.clear();
}

effect(() => {
  if (account.value) {
    localStorage.setItem(signedInHere, 'yes');
    hasSessionEnded.value = false;
  } else if (account.value === null) localStorage.removeItem(signedInHere);
});

// A sign-in or sign-out in another tab is followed here. The event is not sent to the tab that made the change.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== signedInHere || (newValue !== null) === Boolean(account.peek())) return;
  if (newValue !== null) return void loadAccount();
  account.value = null;
  forgetAll();
});

addEventListener('online', () => {
  if (accountProblem.peek() !== null) void loadAccount();
});

// A session that ended elsewhere ends here too, and everything read is cleared. Form drafts remain.
effect(() => {
  if (signedOut.value === 0 || !account.peek()) return;
  hasSessionEnded.value = true;
  account.value = null;
  forgetAll();
});
