import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { CommandError } from './command.ts';

type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Writes to stdout if null. Replaces a regular file once the new one is complete, so a failure leaves the old one
 * unchanged. Writes directly to other targets, such as `/dev/null` or a pipe.
 */
export async function writeOut(path: string | null, parts: Parts): Promise<void> {
  if (path === null) return pour(parts, print);
  const target = resolveTarget(path);
  if (!target.regular) return writeFile(path, target.path, parts);
  const unfinished = `${target.path}.${process.pid}.tmp`;
  try {
    await writeFile(path, unfinished, parts);
    renameSync(unfinished, target.path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function writeFile(requestedPath: string, path: string, parts: Parts): Promise<void> {
  const file = await open(path, 'w').catch((error: unknown) => {
    throw new CommandError(`${requestedPath} cannot be written (${codeOf(error)}).`);
  });
  try {
    await pour(parts, (part) => file.writeFile(part));
  } finally {
    await file.close();
  }
}

/** Does not use Bun.write, which writes some bytes twice if a pipe is full for a moment. */
function print(part: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.once('error', reject);
  process.stdout.write(part, (error) => {
    process.stdout.off('error', reject);
    if (error) reject(error);
    else resolve();
  });
  return promise;
}

async function pour(parts: Parts, write: (part: Uint8Array) => Promise<unknown>): Promise<void> {
  try {
    for await (const part of parts) await write(part);
  } catch (error) {
    // The reader of the pipe has closed it.
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}

/** Follows a symbolic link to its file, because replacing the link would not update the file. */
function resolveTarget(path: string): { path: string; regular: boolean } {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) throw new CommandError(`${path} is a folder.`);
    return { path: real, regular: stats.isFile() };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { path, regular: true };
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Prints a sentence in addition to the result. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Prints the result of a command: a sentence for people, or one object for programs with `--json`. Returns 0. */
export async function printResult(options: ReadonlyMap<string, string>, result: object, sentence: string): Promise<0> {
  await printText(`${options.has('json') ? JSON.stringify(result) : sentence}\n`);
  return 0;
}

export function printText(text: string): Promise<void> {
  return writeOut(null, [new TextEncoder().encode(text)]);
}

/** Formats 1,234,567 bytes as `1.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
