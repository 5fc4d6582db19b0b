import { hash } from 'node:crypto';
import { canonicalJson } from '../../../base/json.ts';
import type { StoredSettings } from '../transactions/elections.ts';

/**
 * Returns a name for the state of the books: the stored rows, open issues about lines and stated gains, and elections.
 * It depends only on this content. Undoing an import therefore restores the previous revision, and every figure and
 * report created under it is current again.
 */
export function computeRevision(
  content: string,
  settings: StoredSettings,
  timeZone: string,
  questions: readonly string[] = [],
): string {
  const elected = settingsNumber(settings) + zoneNumber(content, timeZone);
  const asked = questions.length === 0 ? 0n : hashToNumber(questions.toSorted().join('\n'));
  return BigInt.asUintN(revisionBits, BigInt(content) + elected + asked).toString();
}

/** A revision with 63 bits fits into a bigint column. */
const revisionBits = 63;

/** Returns 0 without elections, so that empty books have revision 0. */
function settingsNumber(settings: StoredSettings): bigint {
  const text = canonicalJson(settings);
  return text === '{}' ? 0n : hashToNumber(text);
}

/**
 * Returns a number for the time zone, which determines the day when lots were identified. Returns 0 for empty books.
 */
function zoneNumber(content: string, timeZone: string): bigint {
  return content === '0' || timeZone === 'UTC' ? 0n : hashToNumber(timeZone);
}

function hashToNumber(text: string): bigint {
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
}
