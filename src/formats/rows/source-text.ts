import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { RecordCutter } from './records.ts';

/**
 * The stored text of a file, so every row can be shown in its original form: pieces of many records, each compressed.
 * This takes a few dozen bytes per line. A table row per line would take more than the transaction it explains.
 */
export interface SourceText {
  /** The first physical line of the piece, 1-based. */
  readonly firstLine: number;
  /** The delimiter of the cells. It determines where quotes open, and therefore where records end. */
  readonly delimiter: string;
  /** UTF-8, compressed by zstd. */
  readonly content: Uint8Array;
}

/** Large enough to compress well, and small enough to find a line in a millisecond. */
const pieceCharacters = 128 * 1024;

/** Gathers the records of a file into pieces of one size. */
export class SourceTexts {
  private readonly done: SourceText[] = [];
  private waiting: string[] = [];
  private waitingLength = 0;
  private firstLine = 1;
  private delimiter = ',';

  /** Adds complete records after those already added. */
  add(text: string, line: number, delimiter: string): void {
    if (text === '') return;
    if (this.waiting.length === 0) this.firstLine = line;
    this.delimiter = delimiter;
    this.waiting.push(text);
    this.waitingLength += text.length;
    if (this.waitingLength >= pieceCharacters) this.close();
  }

  /** Removes and returns the complete pieces, or all pieces at the end of the file. */
  take(isEnd = false): SourceText[] {
    if (isEnd && this.waiting.length > 0) this.close();
    return this.done.splice(0);
  }

  private close(): void {
    // 20 MB of trades become 4.5 MB in 0.24 s; deflate makes 7.5 MB in 0.27 s. The import waits for it.
    const content = zstdCompressSync(this.waiting.join(''), fastest);
    this.done.push({ firstLine: this.firstLine, delimiter: this.delimiter, content });
    this.waiting = [];
    this.waitingLength = 0;
  }
}

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The text of the piece. */
export function decompressText(piece: Pick<SourceText, 'content'>): string {
  return new TextDecoder().decode(zstdDecompressSync(piece.content));
}

/** The text of the records that begin on these lines. Lines outside the piece are skipped. */
export function recordsAt(piece: SourceText, lines: readonly number[]): Map<number, string> {
  const text = decompressText(piece);
  const wanted = new Set(lines);
  const found = new Map<number, string>();
  for (const record of new RecordCutter(piece.delimiter).cut(text, true)) {
    const line = piece.firstLine + record.line - 1;
    if (wanted.has(line)) found.set(line, record.text);
  }
  return found;
}
