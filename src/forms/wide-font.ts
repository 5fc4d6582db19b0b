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
