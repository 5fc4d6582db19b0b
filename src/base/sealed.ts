import { argon2 } from 'node:crypto';
import { ByteReader, joinBytes } from './byte-reader.ts';

/**
 * Encrypts a stream with a passphrase. Uses AES-256-GCM in portions so that a file larger than memory is verified as it
 * is read: portion n has the nonce n, the last one is marked, and the authenticated data includes the name of the file.
 * A file that is truncated, reordered, renamed or changed in one bit cannot be read. HKDF derives the key of a file
 * from the passphrase's key, which Argon2id creates (RFC 9106), and a salt of the file.
 *
 * A sealed file contains `LBSEAL01`, memory in KiB and passes (32 bits each, big-endian), the salt of the passphrase
 * and the salt of the file (16 bytes each), and then the portions of 256 KiB (the last one is shorter), each with its
 * tag of 16 bytes.
 */
export interface Seal {
  seal(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  /** Throws a SealError if the file was changed, or was not sealed with this passphrase under this name. */
  open(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * Returns a seal for the passphrase. A process runs Argon2id once for its own files, and once for each other process
 * whose files it reads.
 */
export function sealBy(passphrase: string): Seal {
  const ownSalt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const keys = new Map<string, Promise<CryptoKey>>();
  const deriveKey = (cost: Cost, salt: Uint8Array): Promise<CryptoKey> => {
    const name = `${cost.memoryKiB} ${cost.passes} ${salt.toHex()}`;
    const known = keys.get(name) ?? passphraseKey(passphrase, cost, salt);
    keys.set(name, known);
    return known;
  };
  return {
    async *seal(name, bytes) {
      const fileSalt = crypto.getRandomValues(new Uint8Array(saltBytes));
      const header = buildHeader(costToday, ownSalt, fileSalt);
      yield header;
      const key = await fileKey(await deriveKey(costToday, ownSalt), fileSalt);
      const known = buildAuthenticatedData(header, name);
      const reader = new ByteReader(bytes);
      for (let portion = 0, last = false; !last; portion++) {
        const plain = await reader.upTo(portionBytes);
        last = await reader.atEnd();
        yield new Uint8Array(await crypto.subtle.encrypt(gcm(portion, last, known), key, plain as BufferSource));
      }
    },
    async *open(name, bytes) {
      const reader = new ByteReader(bytes);
      try {
        const header = await reader.upTo(headerBytes);
        const { cost, salt, fileSalt } = readHeader(header);
        const key = await fileKey(await deriveKey(cost, salt), fileSalt);
        const known = buildAuthenticatedData(header, name);
        for (let portion = 0, last = false; !last; portion++) {
          const sealed = await reader.upTo(portionBytes + tagBytes);
          last = await reader.atEnd();
          yield await decrypt(sealed, key, gcm(portion, last, known));
        }
      } finally {
        await reader.cancel();
      }
    },
  };
}

interface Cost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** 64 MiB and three passes take half a second here. Each file contains these values, so they can be raised. */
const costToday: Cost = { memoryKiB: 65_536, passes: 3 };
/**
 * A file with a higher or lower cost is not ours. The cost is read before anything is authenticated, so a planted file
 * must not use up the memory of the server that lists its backups.
 */
const costMin: Cost = { memoryKiB: 8, passes: 1 };
const costMax: Cost = { memoryKiB: 262_144, passes: 6 };
const magic = new TextEncoder().encode('LBSEAL01');
const saltBytes = 16;
const headerBytes = magic.length + 8 + 2 * saltBytes;
const portionBytes = 262_144;
const tagBytes = 16;
const nonceBytes = 12;

function buildHeader(cost: Cost, salt: Uint8Array, fileSalt: Uint8Array): Uint8Array {
  const numbers = new Uint8Array(8);
  const view = new DataView(numbers.buffer);
  view.setUint32(0, cost.memoryKiB);
  view.setUint32(4, cost.passes);
  return joinBytes([magic, numbers, salt, fileSalt]);
}

function readHeader(header: Uint8Array): { cost: Cost; salt: Uint8Array; fileSalt: Uint8Array } {
  if (header.length < headerBytes || magic.some((byte, at) => header[at] !== byte)) {
    throw new SealError('The file is not encrypted, or it is not a Lotbook file.');
  }
  const view = new DataView(header.buffer, header.byteOffset);
  const cost = { memoryKiB: view.getUint32(magic.length), passes: view.getUint32(magic.length + 4) };
  const isPossible = (['memoryKiB', 'passes'] as const).every(
    (part) => cost[part] >= costMin[part] && cost[part] <= costMax[part],
  );
  if (!isPossible) throw new SealError('The file is damaged.');
  const saltAt = magic.length + 8;
  return {
    cost,
    salt: header.slice(saltAt, saltAt + saltBytes),
    fileSalt: header.slice(saltAt + saltBytes, headerBytes),
  };
}

async function passphraseKey(passphrase: string, cost: Cost, salt: Uint8Array): Promise<CryptoKey> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  argon2(
    'argon2id',
    {
      message: new TextEncoder().encode(passphrase.normalize('NFC')),
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory: cost.memoryKiB,
      passes: cost.passes,
    },
    (error, key) => (error === null || error === undefined ? resolve(new Uint8Array(key)) : reject(error)),
  );
  return crypto.subtle.importKey('raw', (await promise) as BufferSource, 'HKDF', false, ['deriveKey']);
}

function fileKey(key: CryptoKey, salt: Uint8Array): Promise<CryptoKey> {
  const info = new TextEncoder().encode('lotbook sealed file');
  const by = { name: 'HKDF', hash: 'SHA-256', salt: salt as BufferSource, info };
  return crypto.subtle.deriveKey(by, key, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function gcm(portion: number, last: boolean, additionalData: Uint8Array): AesGcmParams {
  const iv = new Uint8Array(nonceBytes);
  const view = new DataView(iv.buffer);
  view.setBigUint64(0, BigInt(portion));
  view.setUint8(nonceBytes - 1, last ? 1 : 0);
  return { name: 'AES-GCM', iv, additionalData: additionalData as BufferSource };
}

function buildAuthenticatedData(header: Uint8Array, name: string): Uint8Array {
  return joinBytes([header, new TextEncoder().encode(name)]);
}

async function decrypt(sealed: Uint8Array, key: CryptoKey, by: AesGcmParams): Promise<Uint8Array> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(by, key, sealed as BufferSource));
  } catch {
    throw new SealError('This passphrase did not encrypt the file, or the file is damaged.');
  }
}
