import { csvRecord } from '../../base/csv.ts';
import type { ZippedFile } from '../../base/zip.ts';
import { formatCellNumber, type NumberMeaning, readNumberFormat } from './cell-text.ts';
import { damagedWorkbook, tooMuch } from './container-refusals.ts';
import { parseXml, type XmlHandlers, type XmlTag } from './xml.ts';

/**
 * Reads the sheets of a workbook (.xlsx, ECMA-376) as CSV. Each row of a sheet is one line, so line numbers are row
 * numbers. Formulas are read as the values that were saved with them. Macros and links are ignored.
 */

export interface WorkbookSheet {
  readonly name: string;
  /** Returns the sheet as CSV text. */
  read(): AsyncGenerator<string>;
}

const [sheetsMax, rowsMax, columnsMax] = [200, 1_048_576, 16_384];
/** Shared strings stay in memory. */
const sharedCharactersMax = 128 * 1024 ** 2;
const stylesMax = 65_536;

export async function openWorkbook(files: readonly ZippedFile[]): Promise<WorkbookSheet[]> {
  const named = new Map(files.map((file) => [file.name.replaceAll('\\', '/').replace(/^\//, ''), file]));
  const { sheets, counts1904 } = await readSheetList(named);
  let shared: Promise<readonly string[]> | undefined;
  let meanings: Promise<readonly NumberMeaning[]> | undefined;
  return sheets.map(({ name, path }) => ({
    name,
    read: async function* () {
      const file = named.get(path);
      if (file === undefined) throw damagedWorkbook(`the sheet "${name}" is missing`);
      shared ??= readSharedStrings(named.get('xl/sharedStrings.xml'));
      meanings ??= readMeanings(named.get('xl/styles.xml'));
      yield* readSheet(file, { shared: await shared, meanings: await meanings, counts1904 });
    },
  }));
}

interface SheetPath {
  readonly name: string;
  readonly path: string;
}

async function readSheetList(named: ReadonlyMap<string, ZippedFile>) {
  const targets = new Map<string, string>();
  const relations = named.get('xl/_rels/workbook.xml.rels');
  if (relations !== undefined) {
    await parse(relations, {
      open: (name, { attributes }) => {
        if (name === 'Relationship') targets.set(String(attributes.Id), String(attributes.Target));
      },
    });
  }
  const sheets: SheetPath[] = [];
  let counts1904 = false;
  const workbook = named.get('xl/workbook.xml');
  if (workbook === undefined) throw damagedWorkbook('its list of sheets is missing');
  await parse(workbook, {
    open: (name, { attributes }) => {
      if (name === 'workbookPr') counts1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      if (sheets.length === sheetsMax) throw tooMuch(`The workbook has more than ${sheetsMax} sheets.`);
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1];
      const target = targets.get(String(id)) ?? '';
      // Chart sheets have no cells.
      if (/(?:^|\/)worksheets\//.test(target))
        sheets.push({ name: String(attributes.name), path: target.startsWith('/') ? target.slice(1) : `xl/${target}` });
    },
  });
  return { sheets, counts1904 };
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** Reads the texts that cells share. Phonetic hints (`rPh`) are not part of a text. */
async function readSharedStrings(file: ZippedFile | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const texts: string[] = [];
  let [characters, hints, isText] = [0, 0, false];
  let text = '';
  await parse(file, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') hints += 1;
      isText = name === 't' && hints === 0;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      if (name === 't') isText = false;
      if (name === 'rPh') hints -= 1;
      if (name !== 'si') return;
      characters += text.length + 1;
      if (characters > sharedCharactersMax) throw tooMuch('The workbook contains too much text.');
      texts.push(unescapeText(text));
    },
  });
  return texts;
}

/** Reads what the numbers of each cell style mean. */
async function readMeanings(file: ZippedFile | undefined): Promise<readonly NumberMeaning[]> {
  if (file === undefined) return [];
  const codes = new Map<number, string>();
  const meanings: NumberMeaning[] = [];
  let isCellStyle = false;
  await parse(file, {
    open: (name, { attributes }) => {
      if (name === 'cellXfs') isCellStyle = true;
      const id = Number(attributes.numFmtId ?? 0);
      if (name === 'numFmt') codes.set(id, attributes.formatCode ?? '');
      if (name === 'xf' && isCellStyle) meanings.push(readNumberFormat(id, codes.get(id)));
      if (meanings.length > stylesMax) throw tooMuch(`The workbook has more than ${stylesMax} cell styles.`);
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return meanings;
}

interface SheetContext {
  readonly shared: readonly string[];
  readonly meanings: readonly NumberMeaning[];
  readonly counts1904: boolean;
}

async function* readSheet(file: ZippedFile, context: SheetContext): AsyncGenerator<string> {
  const rows = new SheetRows(context);
  for await (const _piece of parsePieces(file, rows)) yield rows.take();
}

/** Collects the rows of a sheet as CSV lines. */
class SheetRows implements XmlHandlers {
  private lines: string[] = [];
  private rows = 0;
  private row: string[] = [];
  private column = 0;
  private kind = '';
  private meaning: NumberMeaning = 'number';
  private value = '';
  private isValue = false;
  private hints = 0;

  constructor(private readonly context: SheetContext) {}

  take(): string {
    return this.lines.splice(0).join('');
  }

  open(name: string, { attributes }: XmlTag): void {
    if (name === 'row') this.beginRow(attributes.r);
    else if (name === 'c') this.beginCell(attributes);
    else if (name === 'rPh') this.hints += 1;
    else if (name === 'v' || (name === 't' && this.hints === 0)) this.isValue = true;
  }

  text(piece: string): void {
    if (this.isValue) this.value += piece;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.isValue = false;
    else if (name === 'rPh') this.hints -= 1;
    else if (name === 'c') this.endCell();
    else if (name === 'row') this.lines.push(csvRecord(this.row).replace('\r\n', '\n'));
  }

  /** Rows and cells may omit their place. They then follow the one before. */
  private beginRow(place: string | undefined): void {
    const number = place === undefined ? this.rows + 1 : Number(place);
    if (!Number.isInteger(number) || number <= this.rows) throw damagedWorkbook(`row ${place} is not in order`);
    if (number > rowsMax) throw tooMuch(`A sheet has more than ${rowsMax.toLocaleString('en-US')} rows.`);
    if (number > this.rows + 1) this.lines.push('\n'.repeat(number - this.rows - 1));
    this.rows = number;
    this.row = [];
  }

  private beginCell({ r: place, t: kind = 'n', s: style }: Record<string, string>): void {
    this.column = place === undefined ? this.row.length : readColumn(place);
    if (!(this.column >= this.row.length && this.column < columnsMax))
      throw damagedWorkbook(`cell ${place} is not in order`);
    this.kind = kind;
    this.meaning = this.context.meanings[Number(style ?? 0)] ?? 'number';
    this.value = '';
  }

  private endCell(): void {
    while (this.row.length < this.column) this.row.push('');
    // A line break in a cell would shift the line numbers after it.
    this.row.push(this.formatValue().replace(/\s*[\r\n]+\s*/g, ' '));
  }

  private formatValue(): string {
    const { kind, value, context, meaning } = this;
    if (kind === 'n') return value === '' ? '' : formatCellNumber(value, meaning, context.counts1904);
    if (kind === 's') {
      if (value === '') return '';
      const text = context.shared[Number(value)];
      if (text === undefined) throw damagedWorkbook(`row ${this.rows} has a text that is missing`);
      return text;
    }
    return kind === 'b' ? (value === '1' ? 'TRUE' : 'FALSE') : unescapeText(value);
  }
}

/** Characters that XML cannot contain are written as `_x000D_` (22.9.2.19, ST_Xstring). */
function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

/** Returns the position of a cell's column: 0 for `A1`, 27 for `AB7`. */
function readColumn(place: string): number {
  let column = 0;
  for (const letter of place.toUpperCase()) {
    const digit = letter.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    column = column * 26 + digit;
  }
  return column - 1;
}

async function parse(file: ZippedFile, handlers: XmlHandlers): Promise<void> {
  for await (const _piece of parsePieces(file, handlers));
}

async function* parsePieces(file: ZippedFile, handlers: XmlHandlers): AsyncGenerator<void> {
  yield* parseXml(decode(file.read()), handlers, (what) => {
    throw damagedWorkbook(`"${file.name}" ${what}`);
  });
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
