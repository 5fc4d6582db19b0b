import { CommandError } from '../../src/commands/command.ts';
import { report } from '../../src/commands/report/report.ts';
import type { Folder, runCommand } from './process.ts';

/**
 * Runs `lotbook report` in this process, with the folder as the working directory. A program takes half a second to
 * start, so only a few tests of the command start one.
 */
export async function runReport(folder: Pick<Folder, 'path'>, args: readonly string[]): ReturnType<typeof runCommand> {
  const { stdout, stderr } = process;
  const [out, err] = [capture(stdout), capture(stderr)];
  const terminals = [stdout.isTTY, stderr.isTTY] as const;
  const workingFolder = process.cwd();
  [stdout.isTTY, stderr.isTTY] = [false, false];
  process.chdir(folder.path);
  try {
    const code = await report(args);
    return { code, out: out.text(), err: err.text() };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: 1, out: out.text(), err: `${err.text()}${error.message}\n` };
  } finally {
    process.chdir(workingFolder);
    [stdout.isTTY, stderr.isTTY] = terminals;
    out.end();
    err.end();
  }
}

/** Collects what is written to a stream instead of writing it. */
function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const { write } = stream;
  const parts: Uint8Array[] = [];
  stream.write = (part: Uint8Array | string, ...more: unknown[]): boolean => {
    parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part.slice());
    const written = more.find((one) => typeof one === 'function');
    written?.(null);
    return true;
  };
  return {
    text: () => Buffer.concat(parts).toString(),
    end: () => {
      stream.write = write;
    },
  };
}
