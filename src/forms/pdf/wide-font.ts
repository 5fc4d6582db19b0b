import unifontPath from '@fontsource/unifont/files/unifont-latin-400-normal.woff' with { type: 'file' };
import { file } from 'bun';
import dejavuPath from 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf' with { type: 'file' };
import { subsetFont } from './subset.ts';
import { encodeWinAnsi, printable } from './winansi.ts';
import { unpackWoff } from './woff.ts';

/**
 * Returns the fonts for characters that the core fonts cannot print, the better looking one first. Only the glyphs used
 * are embedded.
 *
 * DejaVu Sans Condensed 2.37: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, symbols; free to use and
 * embed under the Bitstream Vera license. GNU Unifont: every letter in Unicode's first plane, including Chinese,
 * Japanese and Korean, drawn on a grid; SIL Open Font License 1.1. The licenses are in the packages. A font is read
 * only if a text needs it.
 */
export async function wideFontsFor(texts: Iterable<string>): Promise<readonly Uint8Array[]> {
  const letters = new Set<string>();
  for (const text of texts) {
    if (encodeWinAnsi(printable(text)) !== undefined) continue;
    for (const letter of printable(text)) letters.add(letter);
  }
  if (letters.size === 0) return [];
  const all = [...letters].join('');
  const codes = [...letters].map((letter) => letter.codePointAt(0) ?? 0);
  const forms = /\p{Script=Arabic}/u.test(all) ? arabicForms : [];
  const dejavu = subsetFont(await readFontBytes(dejavuPath), [...latin, ...codes, ...forms, box]);
  if (!beyondDejavu.test(all)) return [dejavu];
  return [dejavu, subsetFont(unpackWoff(await readFontBytes(unifontPath)), codes)];
}

/**
 * Returns a warning about text with letters that no font contains: those beyond the first plane (emoji…), and
 * private-use ones.
 */
export function listMissingLetters(texts: Iterable<string>): readonly string[] {
  const lacking = new Set<string>();
  for (const text of texts) for (const character of text.match(beyondAll) ?? []) lacking.add(character);
  if (lacking.size === 0) return [];
  const shown = [...lacking].slice(0, 20).join(' ');
  return [`These letters cannot be printed and show as boxes: ${shown}. Enter the name as shown on the return.`];
}

const beyondDejavu =
  /[^\p{Script=Common}\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}]|[\u2600-\uFFFF]/u;
const beyondAll = /[\u{10000}-\u{10FFFF}\uE000-\uF8FF]/gu;

/** Characters that a form prints besides names: quantities, dates, headings. */
const latin = listRange(0x20, 0x17f);
/** Presentation forms of Arabic letters, which jsPDF substitutes for the letters. */
const arabicForms = [...listRange(0xfb50, 0xfdff), ...listRange(0xfe70, 0xfefc)];
/** The box printed in place of a letter that no font contains. */
const box = 0x25a1;

function listRange(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function readFontBytes(path: string): Promise<Uint8Array> {
  return new Uint8Array(await file(path).arrayBuffer());
}
