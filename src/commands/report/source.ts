import { statSync } from 'node:fs';
import type { Batch } from '../../formats/read.ts';
import { CommandError } from '../command.ts';
import type { Half } from './half.ts';
import { type Halves, halvesOf, streamOfHalves } from './halves.ts';

/** The bytes of a file as one thread reads them, and what the other one has read of it. */
export interface Source {
  readonly stream: ReadableStream<Uint8Array>;
  /** The second half, once the stream is over and did not give it; else null. */
  readonly second: Half | null;
  /** How the file begins: what the other thread reads must begin alike. */
  expect(start: Start): void;
}

type Start = Extract<Batch, { kind: 'format' }>;

/** Of a file, or `-` for stdin. Of a large one the second half is read by `readHalf` meanwhile, as far as that is sound. */
export function sourceOf(
  path: string,
  halvedFrom: number,
  look: (bytes: Uint8Array) => void,
  readHalf: (halves: Halves) => Promise<Half | null>,
): Source {
  const halves = halvesOf(path, halvedFrom);
  return halves === null ? new WholeSource(path, look) : new HalvedSource(halves, look, readHalf(halves));
}

class WholeSource implements Source {
  readonly second = null;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(path: string, look: (bytes: Uint8Array) => void) {
    this.stream = looked(streamOf(path), look);
  }

  expect(): void {}
}

class HalvedSource implements Source {
  second: Half | null = null;
  readonly stream: ReadableStream<Uint8Array>;
  private start: Start | undefined;

  constructor(halves: Halves, look: (bytes: Uint8Array) => void, reading: Promise<Half | null>) {
    // Its failure is told where it is waited for, unless the first half fails before.
    reading.catch(() => undefined);
    this.stream = streamOfHalves(halves, look, async (sound) => {
      const half = await reading;
      this.second = sound && half !== null && this.beginsAlike(half) ? half : null;
      return this.second !== null;
    });
  }

  expect(start: Start): void {
    this.start = start;
  }

  private beginsAlike({ formatId, header }: Half): boolean {
    const { start } = this;
    if (start?.headerLine !== 1 || start.format.id !== formatId) return false;
    return start.header.length === header.length && start.header.every((cell, at) => cell === header[at]);
  }
}

/** The same bytes, looked at on their way. */
function looked(stream: ReadableStream<Uint8Array>, look: (bytes: Uint8Array) => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      look(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Of a file, or `-` for stdin. */
export function streamOf(path: string): ReadableStream<Uint8Array> {
  if (path === '-') return Bun.stdin.stream();
  try {
    if (!statSync(path).isDirectory()) return Bun.file(path).stream();
  } catch {
    throw new CommandError(`There is no file ${path}.`);
  }
  throw new CommandError(`${path} is a folder.`);
}
