import { openGate } from '../../base/gate.ts';

/** OWASP's argon2id setting: 28 ms and 19 MB a time, so only a few run at once and the others wait in line. */
const setting = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const atOnceMax = 4;
const gate = openGate({ placesMax: atOnceMax });

export const passwordLengthMin = 8;
/** Long enough for any passphrase, short enough to hash. */
export const passwordLengthMax = 200;

export function hashPassword(password: string): Promise<string> {
  return gate('hash', () => Bun.password.hash(password, setting));
}

/** Without a hash (no such account, or one without a password) it is false after the same time. */
export function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  return gate('verify', async () => {
    const matches = await Bun.password.verify(password === '' ? '\0' : password, hash ?? (await decoyHash()));
    return matches && hash !== null;
  });
}

let decoy: Promise<string> | undefined;

function decoyHash(): Promise<string> {
  decoy ??= Bun.password.hash(crypto.randomUUID(), setting);
  return decoy;
}
