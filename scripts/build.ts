import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { BunPlugin } from 'bun';
import { packagedPostgres } from '../src/db/postgres-programs.ts';
import { serverVersion } from '../src/db/postgres-server.ts';
import { type BuiltFile, buildClient } from '../src/web/files/build.ts';
import { buildNotices, collectLicenses } from './notices/notices.ts';

/**
 * Builds dist/lotbook: one file with the server, the web client, the docs, the schema and the embedded PostgreSQL.
 * Imported files and texts are included automatically. Workers are separate entrypoints.
 */
const root = join(import.meta.dir, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const archivePath = join(dist, 'postgres.tar.zst');
/** Uses the highest quality because the client is compressed only once. */
const brotliQuality = 11;
/** The PostgreSQL client of pg-boss, which uses our connections instead. */
const withoutPg: BunPlugin = {
  name: 'without pg',
  setup: (build) => {
    build.onResolve({ filter: /^pg$/ }, () => ({ path: 'pg', namespace: 'none' }));
    build.onLoad({ filter: /^pg$/, namespace: 'none' }, () => ({ contents: 'export default {}', loader: 'js' }));
  },
};
const packed = await packPostgres(archivePath);
const client = await buildClient(brotliQuality);
const packedClient = await packClient();
const workers = [...new Bun.Glob('src/**/*-worker.ts').scanSync(root)].sort();
const outfile = join(dist, 'lotbook');
const inputs = {
  entrypoints: ['src/main.ts', ...workers].map((path) => join(root, path)),
  root: join(root, 'src'),
  target: 'bun',
  // jspdf loads these to draw web pages and SVG, which no form contains.
  external: ['html2canvas', 'canvg', 'dompurify'],
} as const;
const result = await Bun.build({
  ...inputs,
  entrypoints: [...inputs.entrypoints],
  external: [...inputs.external],
  // With a single bundle, a command reads and parses all of it. With chunks, it reads and parses only the chunks that
  // it imports, and with bytecode it parses nothing. Median milliseconds of `version` and of a `report` with three
  // rows: one bundle 108 and 179, chunks 20 and 123, bytecode of one bundle 19 and 60, bytecode of chunks 11 and 50.
  // Minifying does not change these figures.
  splitting: true,
  bytecode: true,
  // Bytecode is CommonJS by default, which does not allow the top-level await of `src/main.ts`.
  format: 'esm',
  // Source maps are read when a stack trace is printed, not at startup. Without them the figures are the same and the
  // file is 6 MB smaller.
  sourcemap: 'inline',
  plugins: [packed, packedClient, withoutPg, await withNotices()],
  compile: {
    outfile,
    // The binary does not read configuration files from the folder where it is started.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
for (const message of result.logs) console.error(message);
if (!result.success) process.exit(1);
// The files are already in the binary.
for (const name of readdirSync(dist)) if (join(dist, name) !== outfile) rmSync(join(dist, name));
console.log(`${relative(process.cwd(), outfile)}: ${Math.round(statSync(outfile).size / 1_000_000)} MB`);

/** Replaces src/commands/notices-text.ts with the notices for everything that is bundled. */
async function withNotices(): Promise<BunPlugin> {
  const { entrypoints, external, ...more } = inputs;
  const bundled = await Bun.build({
    ...more,
    entrypoints: [...entrypoints],
    external: [...external],
    plugins: [packed, packedClient, withoutPg],
    metafile: true,
  });
  const server = Object.keys(bundled.metafile?.inputs ?? {}).map((path) => resolve(root, path));
  const files = [...server, ...client.sources];
  const libraries = readdirSync(join(packagedPostgres(), 'lib')).filter((name) => /\.so(\.|$)/.test(name));
  const held = [...files, join(packagedPostgres(), 'file')];
  const text = buildNotices(held, libraries);
  const versions = { bun: Bun.version, postgres: serverVersion(packagedPostgres()) };
  const licenses = collectLicenses(held, libraries, versions);
  return {
    name: 'notices',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]src[\\/]commands[\\/]notices-text\.ts$/ }, () => ({
        contents: `export const noticesText = ${JSON.stringify(text)};\nexport const licenses = ${JSON.stringify(licenses)};`,
        loader: 'js',
      }));
    },
  };
}

/**
 * Packs the programs, their libraries and the files that they read into one archive, which replaces src/db/archive.ts.
 */
async function packPostgres(path: string): Promise<BunPlugin> {
  const native = packagedPostgres();
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(native, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(native, name);
    if (isNeeded(name) && statSync(file).isFile()) files[join('native', name)] = readFileSync(file);
  }
  const bytes = await Bun.zstdCompress(await new Bun.Archive(files).bytes(), { level: 19 });
  await Bun.write(path, bytes);
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 12);
  const contents = `import path from ${JSON.stringify(path)} with { type: 'file' };
export const archive = { path, hash: ${JSON.stringify(hash)} };`;
  return {
    name: 'postgres',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]src[\\/]db[\\/]archive\.ts$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}

/** Replaces src/web/files/bundle.ts with the built files of the web client in each encoding. */
async function packClient(): Promise<BunPlugin> {
  const imports: string[] = [];
  const packedFile = async ({ path, type, bodies }: BuiltFile): Promise<string> => {
    const named: string[] = [];
    for (const [encoding, bytes] of Object.entries(bodies)) {
      const file = join(dist, `${path.replaceAll('/', '_')}.${encoding}`);
      await Bun.write(file, bytes);
      imports.push(`import file${imports.length} from ${JSON.stringify(file)} with { type: 'file' };`);
      named.push(`${encoding}: Bun.file(file${imports.length - 1})`);
    }
    return `{ type: ${JSON.stringify(type)}, bodies: { ${named.join(', ')} } }`;
  };
  const index = await packedFile(client.index);
  const files: string[] = [];
  for (const file of client.files) files.push(`[${JSON.stringify(file.path)}, ${await packedFile(file)}]`);
  const contents = `${imports.join('\n')}
const bundle = { index: ${index}, etag: ${JSON.stringify(client.etag)}, files: new Map([${files.join(', ')}]) };
export const clientBundle = async () => bundle;`;
  return {
    name: 'client',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]src[\\/]web[\\/]files[\\/]bundle\.ts$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}

/**
 * Excludes files for building other programs, and the links to libraries, which are created again when the archive is
 * unpacked.
 */
function isNeeded(name: string): boolean {
  if (/\.a$|(?:^|\/)(?:include|pkgconfig|pgxs|man|doc)\//.test(name)) return false;
  const links = JSON.parse(readFileSync(join(packagedPostgres(), 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  return !links.some((link) => link.target === `native/${name}`);
}
