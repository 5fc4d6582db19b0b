import { newToken, type SessionToken } from '../session.ts';

/** A prefix that lets people and secret scanners recognize a leaked token. */
const prefix = 'lot_';

/**
 * Creates a token. The id finds the row, and the secret proves ownership of the token. Only a hash of the secret is
 * stored.
 */
export function newAccessToken(): SessionToken {
  return newToken();
}

export function printToken({ id, secret }: SessionToken): string {
  return `${prefix}${id}_${secret}`;
}

/** Parses a token. Returns undefined if the text is malformed. */
export function parseToken(text: string): SessionToken | undefined {
  const match = /^lot_([a-z2-7]{24})_([a-z2-7]{32})$/.exec(text);
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}
