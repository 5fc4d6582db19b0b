import { notFound } from '../../http/errors.ts';

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
