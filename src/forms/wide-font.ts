import { file } from 'bun';
import fontPath from 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf' with { type: 'file' };
import { encodeWinAnsi, printable } from './winansi.ts';

/**
 * The font for what the core fonts cannot print: DejaVu Sans Condensed 2.37 (Latin, Greek, Cyrillic, Armenian,
 * Georgian, Hebrew, Arabic, symbols), free to use and embed under the Bitstream Vera licence, which stands in its
 * package. It is read only when a text needs it, and only the glyphs used go into a file.
 */
export async function wideFontFor(texts: Iterable<string>): Promise<Uint8Array | undefined> {
  for (const text of texts) {
    if (encodeWinAnsi(printable(text)) === undefined) return new Uint8Array(await file(fontPath).arrayBuffer());
  }
  return undefined;
}

/** A sentence where a text has letters that the font lacks (Chinese, Japanese, Korean, Indic, Thai, emoji…). */
export function lettersLacking(texts: Iterable<string>): readonly string[] {
  const lacking = new Set<string>();
  for (const text of texts) for (const character of text.match(outside) ?? []) lacking.add(character);
  if (lacking.size === 0) return [];
  const shown = [...lacking].slice(0, 20).join(' ');
  return [`These letters cannot be printed and show as boxes: ${shown}. Give the name as it stands on the return.`];
}

const outside =
  /[^\p{Script=Common}\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}]|[\u{10000}-\u{10FFFF}]/gu;
