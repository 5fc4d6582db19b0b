import { notFound } from '../../../http/errors.ts';

/** Decodes an issue id of the API. Throws a 404 if it is invalid. */
export function factIdOfIssueId(name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.fromBase64(name, { alphabet: 'base64url' }),
    );
    if (!text.includes('\0')) return text;
  } catch {
    // The id was not created by this service.
  }
  throw notFound();
}

/** Returns the ordinal in `transaction/ordinal/kind/account`, which identifies an event of the row. */
export function ordinalOf(factId: string): number {
  return Number(factId.split('/')[1]);
}
