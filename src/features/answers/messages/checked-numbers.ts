import type { AssistantTool } from '../../../deps.ts';

/** Shown in place of a number that no tool returned. */
export const leftOutMark = '[left out]';
const leftOutNote = `${leftOutMark} replaces a number that the assistant wrote but did not look up in your books. Ask for it directly, or open the pages below.`;

/**
 * Checks the text of a language model against the results of the tools. A number that no tool returned is never shown:
 * it is replaced with a mark, and a note at the end explains the mark. Text is released once no number in it can
 * continue.
 */
export class CheckedNumbers {
  private readonly found = new Set<string>();
  private held = '';
  private before = '\n';
  private missing = false;

  /** Returns the same tools, but remembers their results. */
  watch(tools: readonly AssistantTool[]): AssistantTool[] {
    return tools.map((tool) => ({
      ...tool,
      call: async (input) => {
        const result = await tool.call(input);
        this.allow(JSON.stringify(result) ?? '');
        // Also allows the requested year, because results rarely contain it.
        if (typeof input.year === 'number') this.found.add(String(input.year));
        return result;
      },
    }));
  }

  /** Allows the numbers of a text that was already checked or that Lotbook wrote. */
  allow(text: string): void {
    for (const [token] of text.matchAll(numberToken)) for (const key of listSpellings(token)) this.found.add(key);
  }

  /** Adds a piece of text, and returns the part that can be shown. */
  take(piece: string): string {
    this.held += piece;
    const cut = safeCut(this.held);
    const [ready, rest] = [this.held.slice(0, cut), this.held.slice(cut)];
    this.held = rest;
    return this.check(ready);
  }

  /** Returns the rest of the text, with a note if a number was left out. */
  end(): string {
    const rest = this.check(this.held);
    this.held = '';
    return this.missing ? `${rest}\n\n${leftOutNote}` : rest;
  }

  /** Whether a number has been left out so far. */
  get hasLeftOut(): boolean {
    return this.missing;
  }

  private check(text: string): string {
    const all = this.before + text;
    const shown = text.replace(numberToken, (token, ...match) => {
      const at = this.before.length + Number(match.find((each) => typeof each === 'number'));
      const [left, right] = [all.slice(Math.max(0, at - 40), at), all.slice(at + token.length, at + token.length + 12)];
      if (isName(token, left, right) || isSupported(token, this.found)) return token;
      this.missing = true;
      return leftOutMark;
    });
    this.before = all.slice(-40);
    return shown;
  }
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const month = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
/**
 * Matches dates first, so that the day of a date cannot justify a quantity. Then matches numbers with their
 * multipliers.
 */
const numberToken = new RegExp(
  [
    String.raw`\d{4}-\d\d-\d\d`,
    String.raw`\d{1,2}/\d{1,2}/\d{4}`,
    String.raw`\b${month}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?\b`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th)?\s+${month}(?:\s+\d{4})?\b`,
    String.raw`(?:[$€£]\s?)?\p{N}(?:[\p{N}.,'’\u00a0\u202f]*\p{N})?(?:\s?(?:thousand|million|billion|bn|[km])\b|\s?%)?`,
  ].join('|'),
  'giu',
);

const multiples: Readonly<Record<string, number>> = { k: 3, thousand: 3, m: 6, million: 6, bn: 9, billion: 9 };

/** Returns all accepted spellings of a number or date in a tool's result. */
function listSpellings(token: string): string[] {
  const date = parseDate(token);
  if (date !== null) return [date, date.slice(5), date.slice(0, 4)];
  const number = parseDecimal(token);
  if (number === undefined) return [];
  // The text may round a result to whole cents or whole dollars.
  return [...new Set([number, roundHalfUp(number, 2), roundHalfUp(number, 0)])];
}

function isSupported(token: string, numbers: ReadonlySet<string>): boolean {
  const date = parseDate(token);
  if (date !== null) return numbers.has(date);
  const number = parseDecimal(token);
  return number !== undefined && numbers.has(number);
}

/** Parses a date. Returns `2025-03-01`, or `03-01` if the text has no year. */
function parseDate(token: string): string | null {
  const text = token.toLowerCase();
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (iso !== null) return text;
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (slashed !== null) return [slashed[3], pad(slashed[1]), pad(slashed[2])].join('-');
  const name = months.findIndex((each) => new RegExp(String.raw`\b${each}`).test(text));
  if (name < 0) return null;
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(text)?.[1];
  const year = /\b(\d{4})\b/.exec(text)?.[1];
  const monthDay = `${pad(String(name + 1))}-${pad(day)}`;
  return year === undefined ? monthDay : `${year}-${monthDay}`;
}

function pad(text: string | undefined): string {
  return (text ?? '').padStart(2, '0');
}

/** Parses `1,234.50` (English) or `1.234,50` (German). The German format is accepted only with two decimals. */
function parseDecimal(token: string): string | undefined {
  const [, digits = '', unit = ''] = /^(?:[$€£]\s?)?([\d.,'’\u00a0\u202f]+)\s?(%|[a-z]*)$/i.exec(token) ?? [];
  const bare = digits.replaceAll(/['’\u00a0\u202f]/g, '');
  const isGerman = /^\d{1,3}(?:\.\d{3})*,\d\d$/.test(bare);
  const text = isGerman ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '');
  return /^\d+(?:\.\d+)?$/.test(text) ? plain(shiftPoint(text, multiples[unit.toLowerCase()] ?? 0)) : undefined;
}

function shiftPoint(text: string, power: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const padded = fraction.padEnd(power, '0');
  return `${whole}${padded.slice(0, power)}.${padded.slice(power)}`;
}

/** Removes leading zeros, and trailing zeros after the decimal point. */
function plain(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const [left, right] = [whole.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')];
  return right === '' ? left : `${left}.${right}`;
}

/** Rounds the magnitude of a decimal string half up. */
function roundHalfUp(number: string, decimals: number): string {
  const [whole = '', fraction = ''] = number.split('.');
  if (fraction.length <= decimals) return number;
  const units = BigInt(whole + fraction.slice(0, decimals)) + (Number(fraction[decimals]) >= 5 ? 1n : 0n);
  const text = units.toString().padStart(decimals + 1, '0');
  return plain(decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`);
}

/**
 * Returns whether a number is part of a name and not an amount: `Form 8949`, `section 1256`, `box 1g`, `1099-B`, or the
 * number of a list item.
 */
function isName(token: string, left: string, right: string): boolean {
  if (!/^\d+$/.test(token)) return false;
  const named = /(?:forms?|schedule|section|§|irc|pub\.?|publication|notice|rev\.|box|line|part)\s?$/i.test(left);
  const isForm = ['1040', '1099', '8949', '6781'].includes(token) && (named || /^-[a-z]{1,4}\b/i.test(right));
  const isOrdinal = /\n\s*$/.test(left) && /^[.)]\s/.test(right) && token.length < 3;
  return isForm || isOrdinal || (named && token.length < 5);
}

/**
 * Returns the position before the last number that may continue. A number followed by three whole words cannot
 * continue.
 */
function safeCut(text: string): number {
  const words = [...text.matchAll(/\S+\s*/g)];
  const unfinished = words.slice(-wordsHeld);
  const risky = (word: RegExpExecArray | undefined) =>
    word !== undefined && (/[\p{N}$€£]/u.test(word[0]) || months.some((each) => word[0].toLowerCase().includes(each)));
  let first = unfinished.findIndex(risky);
  if (first < 0) return /\s$/.test(text) ? text.length : (words.at(-1)?.index ?? 0);
  first += words.length - unfinished.length;
  while (risky(words[first - 1])) first -= 1;
  return words[first]?.index ?? 0;
}

const wordsHeld = 4;
