import { notFound } from '../../http/errors.ts';

/** Decodes the id of an issue in the API; 404 where it is none. */
export function factIdOfIssueId(name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.fromBase64(name, { alphabet: 'base64url' }),
    );
    if (!text.includes('\0')) return text;
  } catch {
    // No id of this service: not found.
  }
  throw notFound();
}

/** The ordinal in `transaction/ordinal/kind/account`: which event of the row has the issue. */
export function ordinalOf(factId: string): number {
  return Number(factId.split('/')[1]);
}
