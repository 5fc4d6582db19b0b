import { writeOut } from './output.ts';

/** Prints the result of a command: a sentence for people, or one object for programs with `--json`. */
export async function printResult(
  options: ReadonlyMap<string, string>,
  result: object,
  sentence: string,
): Promise<void> {
  const text = options.has('json') ? JSON.stringify(result) : sentence;
  await writeOut(null, [new TextEncoder().encode(`${text}\n`)]);
}

/** Formats 1,234,567 bytes as `1.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
