import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A bug as a patch: what it does wrong, which tests must catch it, and the lines that change. */
export interface Planted {
  readonly what: string;
  /** Folders or files of tests, as `bun test` takes them. */
  readonly tests: readonly string[];
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  readonly path: string;
  /** The lines as they are, context included, and as they become. */
  readonly before: string;
  readonly after: string;
}

/** The files of all bugs, in order. */
export function plantedBugs(): string[] {
  const folder = join(import.meta.dir, 'bugs');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.patch'))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Reads a unified diff with two lines before it: `What: …` and `Tests: …`. Line numbers are not looked at: a hunk
 * belongs where its lines stand, so that a patch outlives changes around it. `On: …` names a patch that is applied first.
 */
export function readPlanted(file: string): Planted {
  const lines = readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
  const hunks: Hunk[] = [];
  let path = '';
  let block: string[] = [];
  const close = (): void => {
    if (block.length > 0) hunks.push({ path, before: sideOf(block, '-'), after: sideOf(block, '+') });
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

/** Changes the files of a folder; false where a hunk fits nowhere, or more than once. */
export function plantAll(folder: string, hunks: readonly Hunk[]): boolean {
  return hunks.every((hunk) => {
    const path = join(folder, hunk.path);
    const text = existsSync(path) ? plant(readFileSync(path, 'utf8'), hunk) : undefined;
    if (text !== undefined) writeFileSync(path, text);
    return text !== undefined;
  });
}

/** The file with the bug in it; undefined where its lines stand nowhere, or more than once. */
export function plant(text: string, { before, after }: Hunk): string | undefined {
  const parts = `\n${text}`.split(`\n${before}\n`);
  if (parts.length !== 2) return undefined;
  return parts.join(`\n${after}\n`).slice(1);
}

function headed(lines: readonly string[], name: string): string {
  return lines.find((line) => line.startsWith(name))?.slice(name.length) ?? '';
}

function sideOf(block: readonly string[], sign: '-' | '+'): string {
  return block
    .filter((line) => line.startsWith(' ') || line.startsWith(sign) || line === '')
    .map((line) => line.slice(1))
    .join('\n');
}
