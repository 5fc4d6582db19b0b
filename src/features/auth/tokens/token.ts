import { newToken, type SessionToken } from '../session.ts';

/** `lot_` lets people and secret scanners recognize a leaked token. */
const prefix = 'lot_';

/** The id finds the row, and the secret proves ownership of the token. Only a hash of the secret is stored. */
export function newAccessToken(): SessionToken {
  return newToken();
}

export function printToken({ id, secret }: SessionToken): string {
  return `${prefix}${id}_${secret}`;
}

/** Returns undefined for malformed text. */
export function parseToken(text: string): SessionToken | undefined {
  const match = /^lot_([a-z2-7]{24})_([a-z2-7]{32})$/.exec(text);
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}
