import { encodeWinAnsi } from './winansi.ts';

/** A font's glyphs by code point. Glyph 0 means that the letter is missing. */
export type Glyphs = Readonly<Record<number, unknown>>;

/** Splits a text into runs, each with the first font that contains its letters. */
export function splitIntoRuns(
  text: string,
  fonts: readonly Glyphs[],
): readonly (readonly [font: number, text: string])[] {
  const runs: [font: number, text: string][] = [];
  for (const character of text) {
    const font = Math.max(0, findFontIndex(character, fonts));
    const last = runs.at(-1);
    if (last?.[0] === font) last[1] += character;
    else runs.push([font, character]);
  }
  return runs;
}

/**
 * Replaces letters that no font contains with a box, so that the gap is visible. Drops combining marks on such letters.
 */
export function replaceMissingGlyphs(text: string, fonts: readonly Glyphs[]): string {
  const shown = [...text].map((character) => {
    if (encodeWinAnsi(character) !== undefined || findFontIndex(character, fonts) >= 0) return character;
    return /\p{M}/u.test(character) ? '' : fonts.length > 0 ? '□' : '?';
  });
  return shown.join('');
}

/** Returns the index of the first font that contains the letter, or -1. */
function findFontIndex(character: string, fonts: readonly Glyphs[]): number {
  const code = character.codePointAt(0) ?? 0;
  return fonts.findIndex((glyphs) => glyphs[code] !== undefined && glyphs[code] !== 0);
}
