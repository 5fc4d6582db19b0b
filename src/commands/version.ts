import manifest from '../../package.json' with { type: 'json' };

export async function version(_args: readonly string[]): Promise<number> {
  process.stdout.write(`lotbook ${manifest.version} (Bun ${Bun.version}, ${process.platform} ${process.arch})\n`);
  return 0;
}
