import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A bug as a patch: its effect, the tests that must catch it, and the lines that change. */
export interface Planted {
  readonly what: string;
  /** Folders or test files, in the form that `bun test` accepts. */
  readonly tests: readonly string[];
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  readonly path: string;
  /** The current lines with context, and the changed lines. */
  readonly before: string;
  readonly after: string;
}

/** Returns the files of all bugs, in order. */
export function plantedBugs(): string[] {
  const folder = join(import.meta.dir, 'bugs');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.patch'))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Parses a unified diff after two lines: `What: …` and `Tests: …`. Ignores line numbers: a hunk applies where its lines
 * are found, so a patch survives changes around it. `On: …` names a patch to apply first.
 */
export function readPlanted(file: string): Planted {
  const lines = readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
  const hunks: Hunk[] = [];
  let path = '';
  let block: string[] = [];
  const close = (): void => {
    if (block.length > 0) hunks.push({ path, before: pickSide(block, '-'), after: pickSide(block, '+') });
    block = [];
  };
  for (const line of lines.slice(lines.findIndex((one) => one.startsWith('--- ')))) {
    if (line.startsWith('--- ')) close();
    else if (line.startsWith('+++ b/')) path = line.slice('+++ b/'.length);
    else if (line.startsWith('@@')) close();
    else block.push(line);
  }
  close();
  const on = headed(lines, 'On: ');
  const first = on === '' ? [] : readPlanted(join(dirname(file), `${on}.patch`)).hunks;
  return { what: headed(lines, 'What: '), tests: headed(lines, 'Tests: ').split(' '), hunks: [...first, ...hunks] };
}

/** Changes the files in a folder. Returns false if a hunk does not match exactly once. */
export function plantAll(folder: string, hunks: readonly Hunk[]): boolean {
  return hunks.every((hunk) => {
    const path = join(folder, hunk.path);
    const text = existsSync(path) ? plant(readFileSync(path, 'utf8'), hunk) : undefined;
    if (text !== undefined) writeFileSync(path, text);
    return text !== undefined;
  });
}

/** Returns the file with the bug, or undefined if its lines do not occur exactly once. */
export function plant(text: string, { before, after }: Hunk): string | undefined {
  const parts = `\n${text}`.split(`\n${before}\n`);
  if (parts.length !== 2) return undefined;
  return parts.join(`\n${after}\n`).slice(1);
}

function headed(lines: readonly string[], name: string): string {
  return lines.find((line) => line.startsWith(name))?.slice(name.length) ?? '';
}

function pickSide(block: readonly string[], sign: '-' | '+'): string {
  return block
    .filter((line) => line.startsWith(' ') || line.startsWith(sign) || line === '')
    .map((line) => line.slice(1))
    .join('\n');
}
