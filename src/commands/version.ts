import manifest from '../../package.json' with { type: 'json' };
import { readOptions } from './options.ts';
import { printResult } from './output.ts';

export async function version(args: readonly string[]): Promise<number> {
  const { options } = readOptions('version', args, 0);
  const { version: lotbook } = manifest;
  const { platform, arch } = process;
  const sentence = `lotbook ${lotbook} (Bun ${Bun.version}, ${platform} ${arch})`;
  return printResult(options, { lotbook, bun: Bun.version, platform, arch }, sentence);
}
