import { notFound } from '../../http/errors.ts';

/** Decodes the API's id of an issue. Throws a 404 if it is invalid. */
export function factIdOfIssueId(name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.fromBase64(name, { alphabet: 'base64url' }),
    );
    if (!text.includes('\0')) return text;
  } catch {
    // Not an id of this service: 404.
  }
  throw notFound();
}

/** The ordinal in `transaction/ordinal/kind/account` identifies the event of the row. */
export function ordinalOf(factId: string): number {
  return Number(factId.split('/')[1]);
}
