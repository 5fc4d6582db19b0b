import { useEffect, useState } from 'preact/hooks';
import { type CsvLine, csvLines, detectDelimiter } from '../../../format/csv.ts';

/** The start of a file: its header and the first rows. */
export interface FileBeginning {
  readonly header: readonly string[];
  readonly rows: readonly CsvLine[];
}

/** Number of bytes to read. The remaining rows stay on the disk. */
const headBytes = 256 * 1024;

/** Reads the start of a file. The header is the row with these columns. */
export function useFileBeginning(file: File, columns: readonly string[]): FileBeginning | null {
  const [head, setHead] = useState<FileBeginning | null>(null);
  useEffect(() => {
    let isCurrent = true;
    readHead(file, columns).then(
      (beginning) => isCurrent && setHead(beginning),
      () => isCurrent && setHead({ header: columns, rows: [] }),
    );
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return head;
}

async function readHead(file: File, columns: readonly string[]): Promise<FileBeginning> {
  const text = decodeText(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  const lines = csvLines(text, detectDelimiter(text));
  // The last line may be incomplete.
  const whole = file.size > headBytes ? lines.slice(0, -1) : lines;
  const at = whole.findIndex(({ cells }) => {
    const names = new Set(cells.map((cell) => cell.trim()));
    return columns.every((column) => names.has(column));
  });
  const start = Math.max(0, at);
  return {
    header: whole[start]?.cells.map((cell) => cell.trim()) ?? columns,
    rows: whole.slice(start + 1).filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  };
}

function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const text = new TextDecoder().decode(bytes);
  // The cut can split one character. If more characters are invalid, the file has another encoding.
  return (text.match(/\ufffd/g)?.length ?? 0) > 1 ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/** Returns the first distinct non-empty values in a column. */
export function listColumnValues({ header, rows }: FileBeginning, column: string, most: number): string[] {
  const at = header.indexOf(column);
  const values = new Set<string>();
  for (const { cells } of rows) {
    const value = (cells[at] ?? '').trim();
    if (value !== '') values.add(value);
    if (values.size === most) break;
  }
  return [...values];
}
