import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type ExchangeKeys, KeysRefused } from './exchange.ts';

interface TokenRequest {
  readonly keys: ExchangeKeys;
  /** `GET api.coinbase.com/v2/accounts`, without the query. */
  readonly uri: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** Hex. Tests set it, because it is random otherwise. */
  readonly nonce?: string;
}

const validSeconds = 120;

/**
 * Creates the token of one request, for keys of the Coinbase Developer Platform: ES256 for a private key in PEM, and
 * EdDSA for an Ed25519 key in Base64. Source: docs.cdp.coinbase.com, "API key authentication".
 */
export function createToken({ keys, uri, now, nonce = randomBytes(16).toString('hex') }: TokenRequest): string {
  const privateKey = parsePrivateKey(keys.secret);
  const alg = privateKey.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
  const header = { alg, typ: 'JWT', kid: keys.key, nonce };
  const payload = { iss: 'cdp', sub: keys.key, nbf: now, exp: now + validSeconds, uri };
  return signToken(`${encode(header)}.${encode(payload)}`, privateKey);
}

/** Appends the signature to `header.payload` (RFC 7515). */
export function signToken(text: string, key: KeyObject): string {
  const bytes = Buffer.from(text);
  const signature =
    key.asymmetricKeyType === 'ed25519'
      ? sign(null, bytes, key)
      : sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The start of an Ed25519 private key in PKCS #8 (RFC 8410). The 32 bytes of the key follow. */
const ed25519Start = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Parses a private key as Coinbase shows it: PEM, also without line breaks or with `\n` instead of them as in the
 * downloaded file, or Base64 of an Ed25519 key, with or without the public key after it.
 */
export function parsePrivateKey(secret: string): KeyObject {
  const text = breakLines(secret.trim().replaceAll('\\n', '\n'));
  try {
    if (text.startsWith('-----BEGIN')) {
      const key = createPrivateKey(text);
      const { namedCurve } = key.asymmetricKeyDetails ?? {};
      if (key.asymmetricKeyType === 'ed25519' || namedCurve === 'prime256v1') return key;
    } else {
      const bytes = Buffer.from(text, 'base64');
      const isKey = bytes.length === 32 || bytes.length === 64;
      if (isKey && /^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
        const der = Buffer.concat([ed25519Start, bytes.subarray(0, 32)]);
        return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      }
    }
  } catch {
    // The reason could quote the key.
  }
  throw new KeysRefused(
    'This is not a private key of Coinbase. Copy all of it, including the lines with BEGIN and END if it has them.',
    'secret',
  );
}

/** Restores the line breaks of PEM, which a field of one line drops. */
function breakLines(text: string): string {
  const [, label, body = ''] = /^-----BEGIN ([A-Z ]+)-----(.*)-----END \1-----$/s.exec(text) ?? [];
  if (label === undefined) return text;
  return `-----BEGIN ${label}-----\n${body.replace(/\s+/g, '')}\n-----END ${label}-----\n`;
}
