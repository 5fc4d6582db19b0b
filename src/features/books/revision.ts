import { hash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import type { StoredSettings } from '../transactions/elections.ts';

/**
 * The name of a state of the books: what is stored, which lines of files and stated gains are questions,
 * and what was elected. It comes of the content alone, so that undoing an import brings the old one back, and with it
 * every number and report made under it.
 */
export function revisionOf(
  content: string,
  settings: StoredSettings,
  timeZone: string,
  questions: readonly string[] = [],
): string {
  const elected = settingsNumber(settings) + zoneNumber(content, timeZone);
  const asked = questions.length === 0 ? 0n : numberOf(questions.toSorted().join('\n'));
  return BigInt.asUintN(revisionBits, BigInt(content) + elected + asked).toString();
}

/** A bigint column holds it. */
const revisionBits = 63;

/** Nothing elected counts nothing, so that empty books have revision 0. */
function settingsNumber(settings: StoredSettings): bigint {
  const text = canonicalJson(settings);
  return text === '{}' ? 0n : numberOf(text);
}

/** The day on which lots were identified is that of the zone; empty books have none. */
function zoneNumber(content: string, timeZone: string): bigint {
  return content === '0' || timeZone === 'UTC' ? 0n : numberOf(timeZone);
}

function numberOf(text: string): bigint {
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
}
