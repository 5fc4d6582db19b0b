import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Refusal } from '../../base/refusal.ts';

/**
 * A large file as two halves that two threads read at once, each with the header above it. That is sound where the first
 * half ends with a line and has no quotes: then no cell goes on in the second, and its lines are as many as it seems.
 */
export interface Halves {
  readonly path: string;
  /** Where the first line ends. */
  readonly headerEnd: number;
  /** Where the second half begins. */
  readonly middle: number;
  readonly end: number;
}

/** Null for what is small, no regular file, or begins otherwise than with one line that may be the header. */
export function halvesOf(path: string, bytesMin: number): Halves | null {
  const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size < bytesMin) return null;
  const end = stats.size;
  const near = Math.floor(end / 2);
  const head = bytesAt(path, 0, Math.min(lineBytesMax, near));
  const headerEnd = head.indexOf(lineFeed) + 1;
  const middle = near + endOfLine(bytesAt(path, near, Math.min(lineBytesMax, end - near)));
  return isOneLine(head.subarray(0, headerEnd)) && middle > near ? { path, headerEnd, middle, end } : null;
}

/** Where the first line ends that begins there too, and says something: a blank one would not count. 0 where none does. */
function endOfLine(bytes: Uint8Array): number {
  for (let start = bytes.indexOf(lineFeed) + 1; start > 0; ) {
    const end = bytes.indexOf(lineFeed, start) + 1;
    const line = bytes.subarray(start, end);
    if (isOneLine(line) && line.some(isDigit)) return end;
    start = end;
  }
  return 0;
}

/** A CR ends a line too. */
function isOneLine(line: Uint8Array): boolean {
  const end = line.indexOf(carriageReturn);
  return line.length > 0 && (end === -1 || end === line.length - 2);
}

/**
 * The first half and, where `isReadElsewhere` is not, the second. It is asked when the first was given, and told whether that was sound.
 * All bytes of the file are looked at in their order.
 */
export function streamOfHalves(
  { path, middle, end }: Halves,
  look: (bytes: Uint8Array) => void,
  isReadElsewhere: (sound: boolean) => Promise<boolean>,
): ReadableStream<Uint8Array> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let sound = true;
    for (const piece of piecesOf(path, 0, middle)) {
      look(piece);
      sound &&= isText(piece) && !piece.includes(quote);
      yield piece;
    }
    // While the other thread still reads.
    for (const piece of piecesOf(path, middle, end)) look(piece);
    if (!(await isReadElsewhere(sound))) yield* piecesOf(path, middle, end);
  }
  return streamed(bytes());
}

/** The second half under the header; it fails where it may read otherwise than behind the first half. */
export function streamOfSecond({ path, headerEnd, middle, end }: Halves): ReadableStream<Uint8Array> {
  function* bytes(): Generator<Uint8Array> {
    yield* piecesOf(path, 0, headerEnd);
    for (const piece of piecesOf(path, middle, end)) {
      if (!isText(piece)) throw new Refusal('not_csv', 'The bytes are no text.');
      yield piece;
    }
  }
  return streamed(bytes());
}

/** Piece by piece, as each is asked for. */
function streamed(pieces: AsyncGenerator<Uint8Array> | Generator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Of whole lines, as far as lines are short. */
function* piecesOf(path: string, from: number, to: number): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (let at = from; at < to; ) {
      const bytes = new Uint8Array(Math.min(pieceBytes, to - at));
      const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at));
      if (read.length === 0) return;
      const piece = at + read.length < to ? read.subarray(0, read.lastIndexOf(lineFeed) + 1 || read.length) : read;
      at += piece.length;
      yield piece;
    }
  } finally {
    closeSync(file);
  }
}

/** UTF-8 of whole characters: how it reads does not depend on what stands before it. */
function isText(piece: Uint8Array): boolean {
  return !piece.includes(0) && isUtf8(piece);
}

function bytesAt(path: string, from: number, length: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, from));
  } finally {
    closeSync(file);
  }
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

const pieceBytes = 256 * 1024;
const lineBytesMax = 64 * 1024;
const [lineFeed, carriageReturn, quote, zero, nine] = [10, 13, 34, 48, 57];
