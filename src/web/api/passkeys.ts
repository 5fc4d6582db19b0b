import { api, unwrapResponse } from './api.ts';
import { Problem } from './problem.ts';
import { sendProof } from './proof-request.ts';
import { enterAccount } from './session.ts';

/** Whether this browser supports passkeys at this address. It does not for a bare IP address. */
export const takesPasskeys =
  'PublicKeyCredential' in window &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname);

type NewPasskey = Parameters<typeof api.auth.passkeys.post>[0]['passkey'];
type UsedPasskey = Parameters<(typeof api.auth.passkeys)['sign-in']['post']>[0]['passkey'];

/** Asks the browser to create a passkey and adds it to the account. */
export async function addPasskey(name: string) {
  const options = await unwrapResponse(api.auth.passkeys.options.post());
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const passkey = await runPrompt<NewPasskey>(() => navigator.credentials.create({ publicKey }));
  return unwrapResponse(api.auth.passkeys.post({ name, passkey }));
}

/** Signs in without the password and the code. */
export async function signInByPasskey(): Promise<void> {
  const passkey = await usePasskey();
  enterAccount(await unwrapResponse(api.auth.passkeys['sign-in'].post({ passkey })));
}

/** Proves again that the user is present in this session. */
export async function proveByPasskey(): Promise<void> {
  const passkey = await usePasskey();
  await sendProof(() => unwrapResponse(api.auth.reauthenticate.post({ passkey })));
}

async function usePasskey() {
  const options = await unwrapResponse(api.auth.passkeys['sign-in'].options.post());
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return runPrompt<UsedPasskey>(() => navigator.credentials.get({ publicKey }));
}

/** Runs a passkey prompt, and returns its result as JSON. The browser can fail for many reasons but reveals none. */
async function runPrompt<Result>(ask: () => Promise<Credential | null>): Promise<Result> {
  const credential = await ask().catch((error: unknown) => {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    const message = isKnown ? 'This device already has a passkey for this account.' : unused;
    throw new Problem('passkey_unused', 0, message, null);
  });
  if (credential instanceof PublicKeyCredential) return credential.toJSON() as Result;
  throw new Problem('passkey_unused', 0, unused, null);
}

const unused = 'No passkey was used. Try again, or sign in another way.';
