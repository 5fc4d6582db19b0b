/** The only file that knows @simplewebauthn/server. It is loaded with the first passkey: it takes some 15 MB. */
import type { Config } from '../../../config.ts';
import type { PasskeyAssertion, PasskeyRegistration } from './schemas.ts';

/** ES256, EdDSA, RS256: what authenticators have, the most common first. */
const algorithms = [-7, -8, -257];
const timeoutMilliseconds = 300_000;

export interface StoredCredential {
  /** In base64url, as browsers write it. */
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

export interface NewCredential extends StoredCredential {
  /** Kept by more than one device. */
  readonly isSynced: boolean;
}

/**
 * A passkey is kept by its authenticator together with the account, and opens only for a person whom the authenticator
 * knows by a finger, a face or a PIN: it stands for both factors. Who made the authenticator is not asked.
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

/** Names no account: the person chooses among those that the authenticator has for this site. */
export async function signInOptions(config: Config) {
  const given = { rpID: relyingParty(config), userVerification: 'required' as const, timeout: timeoutMilliseconds };
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const { challenge } = await generateAuthenticationOptions(given);
  return { challenge, rpId: given.rpID, timeout: given.timeout, userVerification: given.userVerification };
}

/** Undefined where the answer is not one to this challenge, for this site, of a verified person. */
export async function newCredential(
  config: Config,
  { id, rawId, type, response }: PasskeyRegistration,
  challenge: string,
): Promise<NewCredential | undefined> {
  const { clientDataJSON, attestationObject } = response;
  if (await hasCertificates(attestationObject)) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const found = await unlessRefused(() =>
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: config.baseUrl,
      expectedRPID: relyingParty(config),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (found?.verified !== true) return undefined;
  const { credential, credentialBackedUp } = found.registrationInfo;
  const { id: credentialId, publicKey, counter } = credential;
  return { credentialId, publicKey, counter, isSynced: credentialBackedUp };
}

/** The counter of the signature; undefined where it is not one of this key to this challenge. */
export async function verifiedCounter(
  config: Config,
  { id, rawId, type, response }: PasskeyAssertion,
  challenge: string,
  { credentialId, publicKey, counter }: StoredCredential,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { clientDataJSON, authenticatorData, signature } = response;
  const found = await unlessRefused(() =>
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
  return found?.verified === true ? found.authenticationInfo.newCounter : undefined;
}

/** The challenge that an answer says it is to, before anything of it is believed. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const bytes = Uint8Array.fromBase64(clientDataJSON, { alphabet: 'base64url' });
    const { challenge } = JSON.parse(new TextDecoder().decode(bytes)) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * We ask for no attestation, and browsers then send no certificates. The library would ask the hosts that certificates
 * name whether they were revoked, and the server goes nowhere that a user names.
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

/** The library throws at what does not fit. */
async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/** The host of the public address: a passkey of one site opens no other. */
function relyingParty({ baseUrl }: Config): string {
  return new URL(baseUrl).hostname;
}
