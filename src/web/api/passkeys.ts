import { api, unwrapResponse } from './api.ts';
import { Problem } from './problem.ts';
import { sendProof } from './proof-request.ts';
import { enterAccount } from './session.ts';

/** Whether this browser supports passkeys at this address. It does not for a bare IP address. */
export const takesPasskeys = 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname);

type PasskeyBody = Parameters<typeof api.auth.passkeys.post>[0];
type SignInBody = Parameters<(typeof api.auth.passkeys)['sign-in']['post']>[0];

/** Asks the browser to create a passkey and adds it to the account. */
export async function addPasskey(name: string) {
  const options = await unwrapResponse(api.auth.passkeys.options.post());
  const made = await runPrompt(() =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: decodeBytes(options.challenge),
        user: { ...options.user, id: decodeBytes(options.user.id) },
        excludeCredentials: options.excludeCredentials.map(({ id, type }) => ({ id: decodeBytes(id), type })),
      },
    }),
  );
  return unwrapResponse(api.auth.passkeys.post({ name, passkey: toRegistration(made) }));
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

async function usePasskey(): Promise<SignInBody['passkey']> {
  const options = await unwrapResponse(api.auth.passkeys['sign-in'].options.post());
  const used = await runPrompt(() =>
    navigator.credentials.get({ publicKey: { ...options, challenge: decodeBytes(options.challenge) } }),
  );
  return toAssertion(used);
}

/** Runs a passkey prompt. The browser can fail for many reasons but reveals none of them. */
async function runPrompt(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await ask().catch((error: unknown) => {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new Problem(
      'passkey_unused',
      0,
      isKnown ? 'This device already has a passkey for this account.' : unused,
      null,
    );
  });
  if (credential instanceof PublicKeyCredential) return credential;
  throw new Problem('passkey_unused', 0, unused, null);
}

const unused = 'No passkey was used. Try again, or sign in another way.';

function toRegistration({ rawId, response }: PublicKeyCredential): PasskeyBody['passkey'] {
  const { clientDataJSON, attestationObject } = response as AuthenticatorAttestationResponse;
  return {
    ...buildCredentialHead(rawId),
    response: { clientDataJSON: encodeBytes(clientDataJSON), attestationObject: encodeBytes(attestationObject) },
  };
}

function toAssertion({ rawId, response }: PublicKeyCredential): SignInBody['passkey'] {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
  return {
    ...buildCredentialHead(rawId),
    response: {
      clientDataJSON: encodeBytes(clientDataJSON),
      authenticatorData: encodeBytes(authenticatorData),
      signature: encodeBytes(signature),
      userHandle: userHandle === null ? null : encodeBytes(userHandle),
    },
  };
}

function buildCredentialHead(rawId: ArrayBuffer) {
  const id = encodeBytes(rawId);
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
}

function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Encodes bytes as base64url, as the API requires. */
function encodeBytes(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
