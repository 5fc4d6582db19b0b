/**
 * The only file that uses @simplewebauthn/server. The library takes about 15 MB, so it is loaded with the first
 * passkey.
 */
import type { Config } from '../../../../config.ts';
import type { PasskeyAssertion, PasskeyRegistration } from './passkeys.schemas.ts';

/** ES256, EdDSA and RS256: the algorithms that authenticators support, the most common first. */
const algorithms = [-7, -8, -257];
const timeoutMilliseconds = 300_000;

export interface StoredCredential {
  /** The ID in base64url, as browsers send it. */
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

export interface NewCredential extends StoredCredential {
  /** Whether the passkey is synced across devices. */
  readonly isSynced: boolean;
}

/**
 * Returns the options for creating a passkey. The authenticator stores the passkey together with the account and uses
 * it only after it verifies the person by fingerprint, face or PIN, so it counts as both factors. The authenticator's
 * manufacturer is not checked.
 */
export async function registrationOptions(
  config: Config,
  { userId, email, known }: { readonly userId: string; readonly email: string; readonly known: readonly string[] },
) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'Lotbook',
    rpID: relyingParty(config),
    userName: email,
    userID: new TextEncoder().encode(userId),
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    timeout: timeoutMilliseconds,
  });
}

/**
 * Returns the options for a sign-in. They do not contain an account. The user picks one of the accounts that the
 * authenticator has for this site.
 */
export async function signInOptions(config: Config) {
  const given = { rpID: relyingParty(config), userVerification: 'required' as const, timeout: timeoutMilliseconds };
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const { challenge } = await generateAuthenticationOptions(given);
  return { challenge, rpId: given.rpID, timeout: given.timeout, userVerification: given.userVerification };
}

/**
 * Returns the new credential. Undefined unless the response is for this challenge and this site and from a verified
 * person.
 */
export async function newCredential(
  config: Config,
  { id, rawId, type, response }: PasskeyRegistration,
  challenge: string,
): Promise<NewCredential | undefined> {
  const { clientDataJSON, attestationObject } = response;
  if (await hasCertificates(attestationObject)) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await unlessRefused(() =>
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: config.baseUrl,
      expectedRPID: relyingParty(config),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (verified?.verified !== true) return undefined;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  const { id: credentialId, publicKey, counter } = credential;
  return { credentialId, publicKey, counter, isSynced: credentialBackedUp };
}

/** Returns the signature counter, or undefined if this key did not sign this challenge. */
export async function verifiedCounter(
  config: Config,
  { id, rawId, type, response }: PasskeyAssertion,
  challenge: string,
  { credentialId, publicKey, counter }: StoredCredential,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { clientDataJSON, authenticatorData, signature } = response;
  const verified = await unlessRefused(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: config.baseUrl,
      expectedRPID: relyingParty(config),
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    }),
  );
  return verified?.verified === true ? verified.authenticationInfo.newCounter : undefined;
}

/** Returns the challenge in a response, without verifying anything. */
export function parseChallenge(clientDataJSON: string): string | undefined {
  try {
    const bytes = Uint8Array.fromBase64(clientDataJSON, { alphabet: 'base64url' });
    const { challenge } = JSON.parse(new TextDecoder().decode(bytes)) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the response contains certificates. Browsers send none, because this server requests no attestation.
 * If there were any, the library would contact the hosts named in them to check for revocation, and the server must not
 * contact hosts chosen by a user.
 */
async function hasCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const bytes = Uint8Array.fromBase64(attestationObject, { alphabet: 'base64url' });
    const attestation = decodeAttestationObject(bytes);
    const format: string = attestation.get('fmt');
    const isPlain = format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
    return !isPlain;
  } catch {
    return true;
  }
}

/** Returns undefined if the library rejects the input with an error. */
async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/** Returns the host name of the server's public URL. A passkey for another site does not work here. */
function relyingParty({ baseUrl }: Config): string {
  return new URL(baseUrl).hostname;
}
