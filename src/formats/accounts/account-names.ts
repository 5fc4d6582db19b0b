/**
 * An account name as brokers write it: a label, the last digits of a number, or both. Examples: `Individual ...123`,
 * `Roth_Contributory_IRA_XXX456`, `XXXX-4321` and `X12345678`.
 */
export interface AccountName {
  /** '' if the text is only a number. */
  readonly label: string;
  /** The last digits of the number. '' if the text has none. */
  readonly digits: string;
}

/** A number at the end of a text, with or without a mask: `...123`, `XXXX-4321`, `#####1234`, `X12345678`, `-1234`. */
const endingNumber =
  /(?:^|[\s_(])(?:[-#]\s?)?(?:(?:[Xx*#•.…]+|ending in)[-\s]?)?(?<number>(?:[A-Z]{0,3}\d[\dA-Z]*(?:-\d+)*)?\d{3,})\)?$/;
/** A mask without digits, as `...XXX`. */
const bareMask = /[\s_(-]*(?:\.{2,}|…|[#*•]{2,}|[Xx]{2,})[Xx#*•.-]*\)?$/;
const digitsMax = 8;

/** Returns undefined if the text does not name exactly one account. */
export function readAccountName(text: string): AccountName | undefined {
  const written = text.replace(/[\s\u00a0]+/g, ' ').trim();
  if (written === '' || written.length > 100 || isEveryAccount.test(written)) return undefined;
  const number = endingNumber.exec(written);
  const digits = (number?.groups?.number ?? '').replace(/\D/g, '').slice(-digitsMax);
  const before = number === null ? written.replace(bareMask, '') : written.slice(0, number.index);
  const label = before.replace(/[\s_:,(–-]+$/, '').trim();
  return label === '' && digits === '' ? undefined : { label, digits };
}

const isEveryAccount = /^(?:all|multiple|several|selected|combined)?[\s_-]*accounts?$/i;

/**
 * Returns the name used in the books: the label or the source, plus the last digits that the file shows. It keeps at
 * most four digits, so a masked number and the full number give the same name.
 */
export function accountNameText({ label, digits }: AccountName, source: string): string {
  if (digits === '') return label;
  return label === '' ? `${source} ${digits.slice(-shownDigits)}` : `${label} ...${digits.slice(-shownDigits)}`;
}

const shownDigits = 4;

/** Names the account whose number appears in a row. Returns '' if the text has no digits. */
export function accountOfNumber(text: string, source: string): string {
  const digits = readAccountName(text)?.digits ?? '';
  return digits === '' ? '' : accountNameText({ label: '', digits }, source);
}

/**
 * Finds the matching account in `known`: one with the same name, or else the only one whose digits and label are
 * compatible. Returns undefined if there is no unique match.
 */
export function sameAccount(stated: AccountName, known: readonly string[], source: string): string | undefined {
  const text = accountNameText(stated, source);
  if (known.includes(text)) return text;
  const fits = known.filter((name) => {
    const other = readAccountName(name);
    return other !== undefined && isCompatible(stated, other, source);
  });
  return fits.length === 1 ? fits[0] : undefined;
}

/** No broker shows fewer than three digits. */
const digitsMin = 3;

function isCompatible(one: AccountName, other: AccountName, source: string): boolean {
  const [label, otherLabel] = [labelKey(one.label, source), labelKey(other.label, source)];
  const isSameLabel = label === otherLabel;
  if (one.digits === '' || other.digits === '') return isSameLabel && label !== '' && one.digits === other.digits;
  const [shorter, longer] = [one.digits, other.digits].sort((a, b) => a.length - b.length) as [string, string];
  return shorter.length >= digitsMin && longer.endsWith(shorter) && (isSameLabel || label === '' || otherLabel === '');
}

/** Normalizes a label: removes the source's name, case, spaces and punctuation. */
function labelKey(label: string, source: string): string {
  const key = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const whole = key(label);
  const sourceKey = key(source);
  return whole.startsWith(sourceKey) ? whole.slice(sourceKey.length) : whole;
}
