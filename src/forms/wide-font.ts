import unifontPath from '@fontsource/unifont/files/unifont-latin-400-normal.woff' with { type: 'file' };
import { file } from 'bun';
import dejavuPath from 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf' with { type: 'file' };
import { encodeWinAnsi, printable } from './winansi.ts';
import { sfntOf } from './woff.ts';

/**
 * The fonts for what the core fonts cannot print, the better looking one first; only the glyphs used go into a file.
 *
 * DejaVu Sans Condensed 2.37: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, symbols; free to use and embed
 * under the Bitstream Vera licence. GNU Unifont: every letter of Unicode's first plane, Chinese, Japanese and Korean
 * among them, drawn on a grid; SIL Open Font License 1.1. The licences stand in their packages. Neither is read before a
 * text needs it.
 */
export async function wideFontsFor(texts: Iterable<string>): Promise<readonly Uint8Array[]> {
  let isWide = false;
  for (const text of texts) {
    if (encodeWinAnsi(printable(text)) !== undefined) continue;
    if (beyondDejavu.test(text)) return [await bytesOf(dejavuPath), sfntOf(await bytesOf(unifontPath))];
    isWide = true;
  }
  return isWide ? [await bytesOf(dejavuPath)] : [];
}

/** A sentence where a text has letters that no font has: those beyond the first plane (emoji…), and private ones. */
export function lettersLacking(texts: Iterable<string>): readonly string[] {
  const lacking = new Set<string>();
  for (const text of texts) for (const character of text.match(beyondAll) ?? []) lacking.add(character);
  if (lacking.size === 0) return [];
  const shown = [...lacking].slice(0, 20).join(' ');
  return [`These letters cannot be printed and show as boxes: ${shown}. Give the name as it stands on the return.`];
}

const beyondDejavu =
  /[^\p{Script=Common}\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}]|[\u2600-\uFFFF]/u;
const beyondAll = /[\u{10000}-\u{10FFFF}\uE000-\uF8FF]/gu;

async function bytesOf(path: string): Promise<Uint8Array> {
  return new Uint8Array(await file(path).arrayBuffer());
}
