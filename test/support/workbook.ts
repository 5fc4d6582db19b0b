import { writeZip, type ZipEntry } from '../../src/base/zip.ts';

/** Writes workbooks (.xlsx) the way programs do: texts shared or in place, numbers, and dates as styled numbers. */

export type Cell = string | number | boolean | null | { readonly serial: string; readonly style: number };

export interface SheetRows {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}

export interface WorkbookOptions {
  readonly counts1904?: boolean;
  readonly inlineTexts?: boolean;
  /** Extra formats: the style with index 4 has the first, and so on. */
  readonly formats?: readonly string[];
}

/** The first styles: a plain number, a day, a time and an instant. */
export const [plainStyle, dayStyle, timeStyle, instantStyle, firstFormat] = [0, 1, 2, 3, 4];

export async function workbook(sheets: readonly SheetRows[], options: WorkbookOptions = {}): Promise<Uint8Array> {
  return zip(workbookFiles(sheets, options));
}

export function workbookFiles(sheets: readonly SheetRows[], options: WorkbookOptions = {}): Record<string, string> {
  const shared = new Map<string, number>();
  const cellXml = (cell: Cell, place: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
    if (typeof cell === 'object') return `<c r="${place}" s="${cell.style}"><v>${cell.serial}</v></c>`;
    if (options.inlineTexts === true) return `<c r="${place}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
    if (!shared.has(cell)) shared.set(cell, shared.size);
    return `<c r="${place}" t="s"><v>${shared.get(cell)}</v></c>`;
  };
  const sheetXml = ({ rows }: SheetRows): string =>
    rows
      .map((cells, at) => {
        const inside = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${at + 1}`)).join('');
        return inside === '' ? '' : `<row r="${at + 1}">${inside}</row>`;
      })
      .join('');
  const files = sheets.map((sheet, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `${head}<worksheet ${main}><sheetData>${sheetXml(sheet)}</sheetData></worksheet>`,
  ]);
  const listed = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const relations = sheets.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${office}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const formats = (options.formats ?? []).map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code)}"/>`,
  );
  const styles = [0, 14, 21, 22, ...formats.map((_, at) => 164 + at)].map((id) => `<xf numFmtId="${id}"/>`);
  return {
    '[Content_Types].xml': `${head}<Types/>`,
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${office}"><workbookPr${options.counts1904 === true ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships>${relations.join('')}</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet ${main}><numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(files),
    'xl/sharedStrings.xml': `${head}<sst ${main}>${[...shared.keys()].map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join('')}</sst>`,
  };
}

/** Zips text or bytes by name. */
export async function zip(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const entries = Object.entries(files).map(
    ([name, content]): ZipEntry => ({
      name,
      content: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    }),
  );
  return new Uint8Array(Buffer.concat(await Array.fromAsync(writeZip(entries))));
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Returns the letters of a column: `A` for 0, `AB` for 27. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
