import type { Deps } from '../../../../deps.ts';
import { keepServerSecret } from '../../../people/seal.queries.ts';
import type { DigestRow } from './digest.queries.ts';

type DigestKey = Pick<DigestRow, 'taxpayerId' | 'userId'>;

const idBytes = 16;
const secretBytes = 32;
const format = { alphabet: 'base64url', omitPadding: true } as const;

/**
 * Signs and verifies the tokens (HMAC) in unsubscribe links. A token names the user and the books of a digest. Tokens
 * are not stored, so links in old emails keep working. A token can only stop these emails.
 */
export class UnsubscribeTokens {
  readonly #deps: Pick<Deps, 'database'>;
  #key: Promise<CryptoKey> | undefined;

  constructor(deps: Pick<Deps, 'database'>) {
    this.#deps = deps;
  }

  async make({ taxpayerId, userId }: DigestKey): Promise<string> {
    const ids = new Uint8Array([...bytesOf(taxpayerId), ...bytesOf(userId)]);
    const signature = await crypto.subtle.sign('HMAC', await this.#keyOf(), ids);
    return new Uint8Array([...ids, ...new Uint8Array(signature)]).toBase64(format);
  }

  /** Returns undefined if the server did not issue the token. */
  async read(token: string): Promise<DigestKey | undefined> {
    if (!/^[\w-]{86}$/.test(token)) return undefined;
    const bytes = Uint8Array.fromBase64(token, { alphabet: 'base64url' });
    const ids = bytes.slice(0, 2 * idBytes);
    const isOurs = await crypto.subtle.verify('HMAC', await this.#keyOf(), bytes.slice(2 * idBytes), ids);
    if (!isOurs) return undefined;
    return { taxpayerId: uuidOfBytes(ids.slice(0, idBytes)), userId: uuidOfBytes(ids.slice(idBytes)) };
  }

  #keyOf(): Promise<CryptoKey> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  async #readKey(): Promise<CryptoKey> {
    const made = crypto.getRandomValues(new Uint8Array(secretBytes));
    const secret = await this.#deps.database.asService((sql) => keepServerSecret(sql, 'unsubscribe', made));
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    return crypto.subtle.importKey('raw', new Uint8Array(secret), algorithm, false, ['sign', 'verify']);
  }
}

function bytesOf(uuid: string): Uint8Array {
  return Uint8Array.fromHex(uuid.replaceAll('-', ''));
}

function uuidOfBytes(bytes: Uint8Array): string {
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
