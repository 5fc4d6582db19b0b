import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A software authenticator that follows any instruction, including instructions that a real device would refuse. */
export interface Authenticator {
  /** Returns the result of `navigator.credentials.create()` for these options. */
  create(options: CreationOptions, spoilt?: Spoilt): Registration;
  /** Returns the result of `navigator.credentials.get()`, signed with the newest key. */
  get(options: RequestOptions, spoilt?: Spoilt): Assertion;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}
interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** Deviations from the expected response. */
interface Spoilt {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly type?: string;
  readonly userHandle?: string;
  /** Certificates from the authenticator's manufacturer. */
  readonly certificates?: readonly Uint8Array[];
}

interface CredentialJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly clientExtensionResults: object;
}
interface Registration extends CredentialJson {
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
}
interface Assertion extends CredentialJson {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

const present = 1;
const verified = 4;
const withKey = 64;

export function softwareAuthenticator(siteOrigin: string): Authenticator {
  let key: KeyObject | undefined;
  let credentialId = Buffer.alloc(0);
  let userHandle = '';
  const head = (): CredentialJson => {
    const id = credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  };
  const clientData = (type: string, challenge: string, spoilt: Spoilt): Buffer =>
    Buffer.from(
      JSON.stringify({ type: spoilt.type ?? type, challenge, origin: spoilt.origin ?? siteOrigin, crossOrigin: false }),
    );
  const authenticatorData = (rpId: string, flags: number, spoilt: Spoilt, more: readonly Uint8Array[] = []): Buffer => {
    const hash = createHash('sha256')
      .update(spoilt.rpId ?? rpId)
      .digest();
    const person = spoilt.isVerified === false ? present : present | verified;
    return Buffer.concat([hash, Buffer.from([person | flags]), fourBytes(spoilt.counter ?? 0), ...more]);
  };
  return {
    create: ({ challenge, rp, user }, spoilt = {}) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      key = pair.privateKey;
      credentialId = randomBytes(16);
      userHandle = user.id;
      const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
      const cose = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const attested = [Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose];
      const authData = authenticatorData(rp.id, withKey, spoilt, attested);
      const statement = new Map<string, unknown>(
        spoilt.certificates === undefined
          ? []
          : [
              ['alg', -7],
              ['sig', Buffer.alloc(70)],
              ['x5c', spoilt.certificates],
            ],
      );
      const attestation = new Map<string, unknown>([
        ['fmt', spoilt.certificates === undefined ? 'none' : 'packed'],
        ['attStmt', statement],
        ['authData', authData],
      ]);
      const attestationObject = cbor(attestation).toString('base64url');
      const clientDataJSON = clientData('webauthn.create', challenge, spoilt).toString('base64url');
      return { ...head(), response: { clientDataJSON, attestationObject } };
    },
    get: ({ challenge, rpId }, spoilt = {}) => {
      if (key === undefined) throw new Error('The authenticator has no passkey.');
      const data = clientData('webauthn.get', challenge, spoilt);
      const authData = authenticatorData(rpId, 0, spoilt);
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
      return {
        ...head(),
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, key).toString('base64url'),
          userHandle: spoilt.userHandle ?? userHandle,
        },
      };
    },
  };
}

function fourBytes(count: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(count);
  return bytes;
}

/** Encodes the values in an attestation as CBOR (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(cbor)]);
  if (!(value instanceof Map)) throw new Error('This value cannot be encoded as CBOR here.');
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap((pair) => pair.map(cbor))]);
}

function cborHead(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}
