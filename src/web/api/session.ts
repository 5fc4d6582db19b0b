import { effect, signal } from '@preact/signals';
import { browserTimeZone } from '../format/dates.ts';
import { api, got, request } from './api.ts';
import { type Problem, problemOf } from './problem.ts';
import { forgetAll } from './resource.ts';
import { signedOut } from './session-end.ts';

export type Account = Awaited<ReturnType<typeof readAccount>>;

/** Who is signed in: undefined while it is not known, null for nobody. */
export const account = signal<Account | null | undefined>(undefined);

/** The name under which this browser keeps that somebody signed in. */
const signedInHere = 'signedIn';

/** Why it is not known, where the server could not be reached. */
export const accountProblem = signal<Problem | null>(null);

export async function loadAccount(): Promise<void> {
  // Nobody signed in here: a refusal would only be written into the browser's console.
  const hasArrived = location.pathname === '/auth/callback' && location.search === '';
  const mayBeSignedIn = localStorage.getItem(signedInHere) !== null || hasArrived;
  if (!mayBeSignedIn) {
    account.value = null;
    return;
  }
  try {
    accountProblem.value = null;
    account.value = await readAccount();
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status === 401) account.value = null;
    else accountProblem.value = problem;
  }
}

/** `restore`: takes the deletion of the account back. */
export async function signIn(email: string, password: string, totp: string, restore: boolean): Promise<void> {
  const given = { email, password, ...(totp === '' ? {} : { totp }), ...(restore ? { restore } : {}) };
  account.value = await got(api.auth.login.post(given));
  forgetAll();
}

/** The second factor of a sign-in through a provider. */
export async function finishSignIn(totp: string): Promise<void> {
  entered(await got(api.auth.login.factor.post({ totp })));
}

/** Signed in by another way. */
export function entered(who: Account): void {
  account.value = who;
  forgetAll();
}

export async function register(email: string, password: string): Promise<void> {
  const timeZone = browserTimeZone();
  account.value = await got(api.auth.register.post({ email, password, ...(timeZone === '' ? {} : { timeZone }) }));
  forgetAll();
}

/** Opens the demo books, without an account of one's own. */
export async function lookAround(): Promise<void> {
  account.value = await got(api.auth.demo.post());
  forgetAll();
}

/** What ends with the old password, beside the sessions. */
export interface ResetChoices {
  readonly end: readonly Endable[];
  readonly deleteBooks: boolean;
}
export type Endable = NonNullable<Parameters<typeof api.auth.password.reset.confirm.post>[0]['end']>[number];

/** By a mailed link. All sessions end, the one of this browser too. */
export async function resetPassword(
  token: string,
  password: string,
  { end, deleteBooks }: ResetChoices,
): Promise<void> {
  await got(api.auth.password.reset.confirm.post({ token, password, end: [...end], deleteBooks }));
  leave();
}

/** Nothing is read any more once it has begun: what is on the way would be refused. */
export async function signOut(): Promise<void> {
  const before = account.value;
  account.value = null;
  forgetAll();
  try {
    await got(api.auth.logout.post());
    sessionStorage.clear();
  } catch (error) {
    account.value = before;
    throw error;
  }
}

/** All sessions end, the one of this browser too. */
export async function signOutEverywhere(): Promise<void> {
  await got(api.auth.sessions.delete());
  leave();
}

type AccountPatch = Parameters<typeof api.account.patch>[0];

/** Changes the account; what is returned takes it back. */
export async function changeAccount(patch: AccountPatch): Promise<() => Promise<void>> {
  const before = account.peek();
  account.value = await got(api.account.patch(patch));
  return async () => {
    if (!before) return;
    const { name, taxpayerName, tin = null } = before;
    const timeZone = before.timeZoneStated ? before.timeZone : null;
    account.value = await got(api.account.patch({ name, taxpayerName, timeZone, tin }));
  };
}

/** Nobody uses the account any more. When all its data go for good; null: they are gone. */
export async function deleteAccount(password: string): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  const answer = await request('/v1/account', { method: 'DELETE', headers, body: JSON.stringify({ password }) });
  leave();
  return answer.headers.get('erased-at');
}

/** Nothing of the books stays in the tab. The server asks the browser for the same, which hears it under https alone. */
function leave(): void {
  account.value = null;
  forgetAll();
  sessionStorage.clear();
}

function readAccount() {
  return got(api.account.get());
}

effect(() => {
  if (account.value) localStorage.setItem(signedInHere, 'yes');
  else if (account.value === null) localStorage.removeItem(signedInHere);
});

// A session that ended elsewhere ends here too, and what was read goes with it. What was typed stays in its form.
effect(() => {
  if (signedOut.value === 0 || !account.peek()) return;
  account.value = null;
  forgetAll();
});
