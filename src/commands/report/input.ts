import { statSync } from 'node:fs';
import { CommandError } from '../command.ts';

/** Returns the bytes of a file, or of stdin for `-`. */
export function openInput(path: string): ReadableStream<Uint8Array> {
  if (path === '-') return Bun.stdin.stream();
  try {
    if (!statSync(path).isDirectory()) return Bun.file(path).stream();
  } catch {
    throw new CommandError(`There is no file ${path}.`);
  }
  throw new CommandError(`${path} is a folder.`);
}

/** Returns the same bytes and passes each piece to `look`. */
export function observeBytes(stream: ReadableStream<Uint8Array>, look: (bytes: Uint8Array) => void) {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      look(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
