import type { jsPDF } from 'jspdf';
import { helveticaWidth } from './helvetica.ts';
import { encodeWinAnsi, escapeLiteral, printable } from './winansi.ts';

/**
 * The only file that uses jsPDF. All drawing uses a Canvas in PDF points with the origin at the lower left, like the
 * measurements of the forms.
 *
 * jsPDF lays out the file, its fonts, form objects and bookmarks. This file writes the operators for a page and passes
 * them to jsPDF as one string per page, because jsPDF's own text() keeps a dozen strings per cell, which took 1.5 GB
 * for 100,000 lines. jsPDF is loaded with the first canvas, because a server draws only in Workers, and loading it in
 * the main thread would waste 20 MB.
 */
interface CanvasOptions {
  readonly title: string;
  /** Metadata only, never on a page: `2026-02-14T…`. */
  readonly created: string;
  /** Identifies the document. Equal seeds produce equal file ids. */
  readonly seed: string;
  /** Fonts for text that the core fonts cannot print. Each letter uses the first font that contains it. */
  readonly fonts?: readonly Uint8Array[];
}

export type Face = 'regular' | 'bold' | 'italic' | 'boldItalic';
export type Color = readonly [red: number, green: number, blue: number];

interface TextStyle {
  readonly size: number;
  readonly face?: Face;
  readonly color?: Color;
  readonly align?: 'left' | 'center' | 'right';
  /** The maximum width. Wider text is printed smaller, and no letters are cut. */
  readonly widthMax?: number;
  /** Stretches or narrows the letters to exactly this width, as in a form's printed lines. */
  readonly stretchTo?: number;
  /** Degrees, counterclockwise. */
  readonly angle?: number;
}

export interface Bookmark {
  readonly item: unknown;
}

export const pageWidth = 612;
export const pageHeight = 792;
export const black: Color = [0, 0, 0];

const styles: Readonly<Record<Face, string>> = {
  regular: 'normal',
  bold: 'bold',
  italic: 'italic',
  boldItalic: 'bolditalic',
};

function ofFaces<T>(create: (face: Face) => T): Readonly<Record<Face, T>> {
  const [regular, bold, italic] = [create('regular'), create('bold'), create('italic')];
  return { regular, bold, italic, boldItalic: create('boldItalic') };
}

/** Properties of jsPDF that its types do not declare. */
type Internal = jsPDF['internal'] & { write(text: string): void; getPageInfoByObjId(): undefined };

export class Canvas {
  private readonly fontIds: Readonly<Record<Face, string>>;
  private readonly widths = ofFaces(() => new Map<string, number>());
  private readonly stamps = new Set<string>();
  /** The glyphs of each embedded font, by code point. */
  private readonly glyphs: readonly Glyphs[];
  private operators: string[] = [];
  /** The last state written to the stream, so that it is not repeated. */
  private state: Record<'fill' | 'stroke' | 'line' | 'font' | 'scale', string> = unset();
  private pages = 0;

  static async open(options: CanvasOptions): Promise<Canvas> {
    const { jsPDF } = await loadCanvas();
    const doc = new jsPDF({ unit: 'pt', format: [pageWidth, pageHeight], compress: true, putOnlyUsedFonts: false });
    return new Canvas(doc, options);
  }

  private constructor(
    private readonly doc: jsPDF,
    options: CanvasOptions,
  ) {
    this.doc.setProperties({ title: options.title, creator: 'Lotbook' });
    this.doc.setLanguage('en-US');
    // PDF readers show and speak the title instead of the file name.
    this.doc.viewerPreferences({ DisplayDocTitle: true });
    this.doc.setCreationDate(pdfDate(options.created));
    this.doc.setFileId(fileId(options.seed));
    this.fontIds = ofFaces((face) => String(this.doc.setFont('helvetica', styles[face]).getFont().id));
    // Lotbook does not use jsPDF's annotations, which search all pages once per page: 100,000 lines took 17 s.
    (this.doc.internal as Internal).getPageInfoByObjId = () => undefined;
    this.glyphs = (options.fonts ?? []).map((font, index) => {
      this.doc.addFileToVFS(`wide${index}.ttf`, binaryString(font));
      this.doc.addFont(`wide${index}.ttf`, `wide${index}`, 'normal');
      return this.doc.setFont(`wide${index}`, 'normal').getFont().metadata.cmap.unicode.codeMap;
    });
  }

  get pageNumber(): number {
    return this.pages;
  }

  page(): void {
    this.flush();
    // jsPDF opens a document with its first page.
    if (this.pages > 0) this.doc.addPage([pageWidth, pageHeight]);
    this.pages += 1;
    this.state = unset();
  }

  /** Returns to an earlier page, for example to add page numbers, which are known only at the end. */
  turnTo(page: number): void {
    this.flush();
    this.doc.setPage(page);
    this.state = unset();
  }

  text(x: number, y: number, text: string, style: TextStyle): void {
    if (text === '') return;
    const clean = this.visible(printable(text));
    const bytes = encodeWinAnsi(clean);
    const face = style.face ?? 'regular';
    const natural = this.measure(clean, style.size, face);
    const narrowed = style.widthMax !== undefined && natural > style.widthMax ? style.widthMax / natural : 1;
    const size = style.size * narrowed;
    const scale = style.stretchTo === undefined ? 1 : style.stretchTo / natural;
    const left = x - natural * narrowed * scale * alignments[style.align ?? 'left'];
    if (bytes === undefined) {
      this.wideText(left, y, clean, size, style.color ?? black);
      return;
    }
    this.setFill(style.color ?? black);
    const font = `/${this.fontIds[face]} ${number(size)} Tf`;
    const fontChange = this.change('font', font) + this.change('scale', `${number(scale * 100)} Tz`);
    this.operators.push(`BT ${fontChange}${placement(left, y, style.angle)} (${escapeLiteral(bytes)}) Tj ET`);
  }

  /** Returns the width of a line of text in points. */
  measure(text: string, size: number, face: Face = 'regular'): number {
    const clean = this.visible(printable(text));
    if (encodeWinAnsi(clean) === undefined) return this.wideWidth(clean) * size;
    let units = 0;
    for (const character of clean) units += this.measureCharacter(character, face);
    return units * size;
  }

  /** Breaks text into lines that fit into `width`, at spaces, or within a word that is too long by itself. */
  wrap(text: string, size: number, width: number, face: Face = 'regular'): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of printable(text)
      .split(' ')
      .flatMap((one) => this.pieces(one, size, width, face))) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && this.measure(longer, size, face) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    return [...lines, line];
  }

  line(x1: number, y1: number, x2: number, y2: number, width = 0.5, color: Color = black): void {
    this.setStroke(color, width);
    this.operators.push(`${number(x1)} ${number(y1)} m ${number(x2)} ${number(y2)} l S`);
  }

  polyline(points: readonly (readonly [number, number])[], width: number, color: Color): void {
    this.setStroke(color, width);
    const path = points.map(([x, y], index) => `${number(x)} ${number(y)} ${index === 0 ? 'm' : 'l'}`);
    this.operators.push(`${path.join(' ')} S`);
  }

  fillRect(x: number, y: number, width: number, height: number, color: Color): void {
    this.setFill(color);
    this.operators.push(`${[x, y, width, height].map(number).join(' ')} re f`);
  }

  strokeRect(x: number, y: number, width: number, height: number, lineWidth = 0.5, color: Color = black): void {
    this.setStroke(color, lineWidth);
    this.operators.push(`${[x, y, width, height].map(number).join(' ')} re S`);
  }

  /** Draws a picture that the file stores only once. */
  stamp(key: string, draw: () => void): void {
    this.flush();
    const identity = this.doc.Matrix(1, 0, 0, 1, 0, 0);
    if (!this.stamps.has(key)) {
      const outside = this.state;
      this.state = unset();
      this.doc.beginFormObject(0, 0, pageWidth, pageHeight, identity);
      draw();
      this.flush();
      this.doc.endFormObject(key);
      this.stamps.add(key);
      this.state = outside;
    }
    this.doc.doFormObject(key, identity);
  }

  /** Adds a bookmark to the current page. Titles are plain ASCII. */
  bookmark(title: string, parent: Bookmark | null = null): Bookmark {
    return { item: this.doc.outline.add(parent?.item ?? null, title, { pageNumber: this.pages }) };
  }

  bytes(): Uint8Array {
    this.flush();
    return new Uint8Array(this.doc.output('arraybuffer'));
  }

  private flush(): void {
    if (this.operators.length === 0) return;
    (this.doc.internal as Internal).write(this.operators.join('\n'));
    this.operators = [];
  }

  /** Draws text in the embedded fonts. jsPDF reduces them to the glyphs used. */
  private wideText(x: number, y: number, text: string, size: number, color: Color): void {
    this.flush();
    const [red, green, blue] = color.map((part) => Math.round(part * 255)) as [number, number, number];
    this.doc.setTextColor(red, green, blue);
    let left = x;
    for (const [font, part] of splitIntoRuns(text, this.glyphs)) {
      this.setWide(font)
        .setFontSize(size)
        .text(part, left, pageHeight - y);
      left += this.wideWidth(part) * size;
    }
    this.state = unset();
  }

  private visible(text: string): string {
    return encodeWinAnsi(text) === undefined ? replaceMissingGlyphs(text, this.glyphs) : text;
  }

  private wideWidth(text: string): number {
    const widths = splitIntoRuns(text, this.glyphs).map(([font, part]) =>
      this.setWide(font).setFontSize(1).getStringUnitWidth(part),
    );
    return widths.reduce((sum, width) => sum + width, 0);
  }

  private setWide(font: number): jsPDF {
    return this.doc.setFont(this.glyphs.length > 0 ? `wide${font}` : 'helvetica', 'normal');
  }

  private pieces(word: string, size: number, width: number, face: Face): string[] {
    if (this.measure(word, size, face) <= width) return [word];
    const pieces: string[] = [];
    let piece = '';
    for (const character of word) {
      if (piece !== '' && this.measure(piece + character, size, face) > width) {
        pieces.push(piece);
        piece = '';
      }
      piece += character;
    }
    return [...pieces, piece];
  }

  private setFill(color: Color): void {
    const change = this.change('fill', `${color.map(number).join(' ')} rg`);
    if (change !== '') this.operators.push(change.trimEnd());
  }

  private setStroke(color: Color, width: number): void {
    const change =
      this.change('stroke', `${color.map(number).join(' ')} RG`) + this.change('line', `${number(width)} w`);
    if (change !== '') this.operators.push(change.trimEnd());
  }

  private change(what: keyof Canvas['state'], operator: string): string {
    if (this.state[what] === operator) return '';
    this.state[what] = operator;
    return `${operator} `;
  }

  private measureCharacter(character: string, face: Face): number {
    const known = this.widths[face].get(character);
    if (known !== undefined) return known;
    const bold = face === 'bold' || face === 'boldItalic';
    const thousandths = helveticaWidth(character, bold);
    this.doc.setFont('helvetica', styles[face]);
    const width = thousandths === undefined ? this.doc.getStringUnitWidth(character) : thousandths / 1000;
    this.widths[face].set(character, width);
    return width;
  }
}

/** Loads jsPDF. Workers call it before their first report, so that the report does not have to wait. */
export function loadCanvas() {
  return import('jspdf');
}

const alignments = { left: 0, center: 0.5, right: 1 } as const;

function unset(): Canvas['state'] {
  return { fill: '', stroke: '', line: '', font: '', scale: '100 Tz' };
}

/** Writes operators, numbers and dates in PDF syntax. */

/** Returns the operator that places text at a point, rotated by an angle in degrees. */
function placement(x: number, y: number, angle: number | undefined): string {
  if (angle === undefined) return `1 0 0 1 ${number(x)} ${number(y)} Tm`;
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return `${[cos, sin, -sin, cos, x, y].map(number).join(' ')} Tm`;
}

/** Formats a number with three decimals and no exponent. A thousandth of a point is finer than any printer can show. */
function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/**
 * Formats a date in PDF syntax, in UTC regardless of the machine's time zone. A year that PDF does not accept becomes a
 * fixed day.
 */
function pdfDate(at: string): string {
  const match = /^(20[0-2]\d|203[0-7])-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2}))?/.exec(at);
  if (match === null) return "D:20000101000000+00'00'";
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match;
  return `D:${year}${month}${day}${hour}${minute}${second}+00'00'`;
}

/** Returns 128 bits from four FNV-1a runs. They are unique but not secret. */
function fileId(seed: string): string {
  let id = '';
  for (let run = 0; run < 4; run++) {
    let hash = 0x811c9dc5 ^ run;
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    id += (hash >>> 0).toString(16).padStart(8, '0').toUpperCase();
  }
  return id;
}

/** Converts bytes to a string with one character per byte, which jsPDF's font file system requires. */
function binaryString(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return text;
}

/** A font's glyphs by code point. Glyph 0 means that the letter is missing. */
type Glyphs = Readonly<Record<number, unknown>>;

/** Splits a text into runs, each with the first font that contains its letters. */
function splitIntoRuns(text: string, fonts: readonly Glyphs[]): readonly (readonly [font: number, text: string])[] {
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
function replaceMissingGlyphs(text: string, fonts: readonly Glyphs[]): string {
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
