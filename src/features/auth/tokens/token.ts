import { newToken, type SessionToken } from '../session.ts';

/** `lot_`, so that people and scanners for leaked secrets know one where they see it. */
const prefix = 'lot_';

/** The id finds the row, the secret proves that the token is the caller's. Of both, only a hash of the secret is stored. */
export function newAccessToken(): SessionToken {
  return newToken();
}

export function printToken({ id, secret }: SessionToken): string {
  return `${prefix}${id}_${secret}`;
}

/** Undefined for a text that we cannot have issued. */
export function parseToken(text: string): SessionToken | undefined {
  const match = /^lot_([a-z2-7]{24})_([a-z2-7]{32})$/.exec(text);
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}
