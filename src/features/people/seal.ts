import { sha256 } from '@oslojs/crypto/sha2';
import { encodeHexLowerCase } from '@oslojs/encoding';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { keepServerSecret } from './seal.queries.ts';

/** An encrypted secret that can be decrypted, unlike a password hash. */
export interface SealedSecret {
  /** Identifies the server's key. */
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

/** The owner and purpose of a secret. Decryption fails if the ciphertext is moved to another row. */
interface SealContext {
  /** The id of a user, an email or a connection. */
  readonly of: string;
  readonly purpose: 'totp' | 'mail' | 'connection';
}

type Sealing = Pick<Deps, 'database' | 'config'>;

const nonceBytes = 12;
const serverSecretBytes = 32;

/** Encrypts `text` with the newest key (AES-256-GCM). */
export function seal({ database, config }: Sealing, text: string, bound: SealContext): Promise<SealedSecret> {
  return database.asService((sql) => sealText(sql, config, text, bound));
}

/** Encrypts `text` like `seal`, in a transaction of the server. Needs no second connection. */
export async function sealText(
  sql: Sql,
  config: Sealing['config'],
  text: string,
  bound: SealContext,
): Promise<SealedSecret> {
  const [key] = await loadKeys(sql, config);
  if (key === undefined) throw new Error('The server has no key.');
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const plain = new TextEncoder().encode(text);
  const encrypted = await crypto.subtle.encrypt(algorithm(nonce, bound), await deriveKey(key, bound), plain);
  return { keyId: computeKeyId(key), sealed: new Uint8Array([...nonce, ...new Uint8Array(encrypted)]) };
}

/**
 * Decrypts a secret. Returns undefined if the server no longer has the key, or if the secret was sealed for a different
 * owner or purpose.
 */
export async function unseal(
  { database, config }: Sealing,
  { keyId, sealed }: SealedSecret,
  bound: SealContext,
): Promise<string | undefined> {
  const keys = await database.asService((sql) => loadKeys(sql, config));
  const key = keys.find((each) => computeKeyId(each) === keyId);
  if (key === undefined) return undefined;
  const [nonce, encrypted] = [new Uint8Array(sealed.slice(0, nonceBytes)), new Uint8Array(sealed.slice(nonceBytes))];
  try {
    const plain = await crypto.subtle.decrypt(algorithm(nonce, bound), await deriveKey(key, bound), encrypted);
    return new TextDecoder().decode(plain);
  } catch {
    return undefined;
  }
}

/**
 * Returns the keys from SECRET_KEY, newest first, followed by the key in the database. The database key protects only a
 * leaked table: an attacker who has the whole database also has the key. Text encrypted with it stays readable after
 * SECRET_KEY is set.
 */
async function loadKeys(sql: Sql, config: Sealing['config']): Promise<Uint8Array[]> {
  const made = crypto.getRandomValues(new Uint8Array(serverSecretBytes));
  const kept = await keepServerSecret(sql, 'seal', made);
  return [...config.secretKeys.map((text) => new TextEncoder().encode(text)), kept];
}

function computeKeyId(key: Uint8Array): string {
  return encodeHexLowerCase(sha256(new Uint8Array([...new TextEncoder().encode('id '), ...key]))).slice(0, 16);
}

/** Derives a separate key for each purpose (HKDF, RFC 5869). */
async function deriveKey(key: Uint8Array, { purpose }: SealContext): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', new Uint8Array(key), 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(`lotbook ${purpose}`);
  const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(from, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function algorithm(iv: Uint8Array<ArrayBuffer>, { of, purpose }: SealContext) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${purpose} ${of}`) };
}
