/** A name that is a CUSIP or ISIN. Check digits distinguish such names from others. */
export interface SecurityId {
  /** A US or Canadian ISIN contains a CUSIP, so both are compared as CUSIPs. */
  readonly kind: 'cusip' | 'isin';
  readonly id: string;
}

/** Returns undefined for tickers and all other names. */
export function parseSecurityId(name: string): SecurityId | undefined {
  if (isCusip(name)) return { kind: 'cusip', id: name };
  if (!isIsin(name)) return undefined;
  const inner = name.slice(2, 11);
  return /^(?:US|CA)/.test(name) && isCusip(inner) ? { kind: 'cusip', id: inner } : { kind: 'isin', id: name };
}

/**
 * Returns whether two names have numbers that show that they are two securities. Returns false if either has no number,
 * or if the numbers are of different kinds.
 */
export function areOtherSecurities(one: string, other: string): boolean {
  const [a, b] = [parseSecurityId(one), parseSecurityId(other)];
  return a !== undefined && b !== undefined && a.kind === b.kind && a.id !== b.id;
}

function isCusip(name: string): boolean {
  if (!/^[\dA-Z*@#]{8}\d$/.test(name)) return false;
  const sum = [...name.slice(0, 8)].reduce((all, character, at) => {
    const value = (cusipCharacters.indexOf(character) as number) * (at % 2 === 0 ? 1 : 2);
    return all + Math.floor(value / 10) + (value % 10);
  }, 0);
  return (10 - (sum % 10)) % 10 === Number(name[8]);
}

const cusipCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#';

function isIsin(name: string): boolean {
  if (!/^[A-Z]{2}[\dA-Z]{9}\d$/.test(name)) return false;
  const digits = [...name].map((character) => Number.parseInt(character, 36)).join('');
  const sum = [...digits].reverse().reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return all + Math.floor(value / 10) + (value % 10);
  }, 0);
  return sum % 10 === 0;
}
