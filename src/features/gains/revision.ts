import { hash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import type { StoredSettings } from '../transactions/elections.ts';

/**
 * The name of a state of the books: what is stored and what was elected. It comes of the content alone, so that undoing
 * an import brings the old one back, and with it every number and report made under it.
 */
export function revisionOf(content: string, settings: StoredSettings): string {
  return BigInt.asUintN(revisionBits, BigInt(content) + settingsNumber(settings)).toString();
}

/** A bigint column holds it. */
const revisionBits = 63;

/** Nothing elected counts nothing, so that empty books have revision 0. */
function settingsNumber(settings: StoredSettings): bigint {
  const text = canonicalJson(settings);
  return text === '{}' ? 0n : BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
}
