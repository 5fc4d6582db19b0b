import { hash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import type { StoredSettings } from '../transactions/elections.ts';

/**
 * A name for the state of the books: stored rows, open questions about lines and stated gains, and elections. It
 * depends only on the content, so undoing an import restores the previous revision and every figure and report made
 * under it.
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

/** Fits into a bigint column. */
const revisionBits = 63;

/** Without elections this adds 0, so that empty books have revision 0. */
function settingsNumber(settings: StoredSettings): bigint {
  const text = canonicalJson(settings);
  return text === '{}' ? 0n : hashToNumber(text);
}

/** The zone determines the day on which lots were identified. Empty books have none. */
function zoneNumber(content: string, timeZone: string): bigint {
  return content === '0' || timeZone === 'UTC' ? 0n : hashToNumber(timeZone);
}

function hashToNumber(text: string): bigint {
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
}
