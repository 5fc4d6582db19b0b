import { notFound } from '../../../http/errors.ts';

/** A fact's id names accounts, whatever they are called; in a path it is letters and digits. */
export function issueName(factId: string): string {
  return new TextEncoder().encode(factId).toBase64({ alphabet: 'base64url', omitPadding: true });
}

export function factIdOfIssue(name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.fromBase64(name, { alphabet: 'base64url' }),
    );
    if (!text.includes('\0')) return text;
  } catch {
    // Whatever it is, it is not one of ours.
  }
  throw notFound();
}

/** `transaction/ordinal/kind/account`: which consequence of the row it is. */
export function ordinalOf(factId: string): number {
  return Number(factId.split('/')[1]);
}
