import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BunPlugin } from 'bun';
import { type TarEntry, writeTar } from '../src/base/tar.ts';
import type { License } from '../src/commands/notices-text.ts';
import { type BuiltFile, buildClient } from '../src/web/files/build.ts';
import { buildNotices, collectLicenses } from './notices/notices.ts';
import { hostTarget, partsOf, type TargetParts } from './targets.ts';

const root = join(import.meta.dir, '..');
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
const workers = [...new Bun.Glob('src/**/*-worker.ts').scanSync(root)].sort();
const inputs = {
  entrypoints: ['src/main.ts', ...workers].map((path) => join(root, path)),
  root: join(root, 'src'),
  target: 'bun',
  // jspdf loads these to draw web pages and SVG, which no form contains.
  external: ['html2canvas', 'canvg', 'dompurify'],
} as const;

if (import.meta.main) {
  const { target } = parseArgs({ options: { target: { type: 'string' } } }).values;
  const folder = join(root, 'dist', target ?? '');
  const { outfile } = await buildBinary(target ?? hostTarget, folder);
  console.log(`${relative(process.cwd(), outfile)}: ${Math.round(statSync(outfile).size / 1_000_000)} MB`);
}

/** A finished binary, and what it contains. */
export interface Binary {
  readonly outfile: string;
  readonly licenses: readonly License[];
  /** The texts of these licenses. */
  readonly notices: string;
}

/**
 * Builds `lotbook` in an emptied folder: one file with the server, the web client, the docs, the schema and the embedded
 * PostgreSQL. Imported files and texts are included automatically. Workers are separate entrypoints. Equal sources,
 * packages and targets give equal bytes.
 *
 * @param target one of `targets`, or this machine's
 */
export async function buildBinary(target: string, folder: string): Promise<Binary> {
  const parts = partsOf(target);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const client = await buildClient(brotliQuality);
  const plugins = [
    await packPostgres(parts.native, join(folder, 'postgres.tar.zst')),
    await packClient(client, folder),
  ];
  const { licenses, notices } = await readNotices(parts, plugins, client.sources);
  const outfile = join(folder, 'lotbook');
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
    plugins: [...plugins, withoutPg, withNotices(notices, licenses)],
    compile: {
      outfile,
      ...(parts.executable === undefined
        ? {}
        : { target: `bun-${target}` as Bun.Build.CompileTarget, executablePath: parts.executable }),
      // The binary does not read configuration files from the folder where it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
  for (const message of result.logs) console.error(message);
  if (!result.success) process.exit(1);
  // The files are already in the binary.
  for (const name of readdirSync(folder)) if (join(folder, name) !== outfile) rmSync(join(folder, name));
  return { outfile, licenses, notices };
}

/** Returns the notices for everything that is bundled. */
async function readNotices(
  { native }: TargetParts,
  plugins: readonly BunPlugin[],
  clientSources: readonly string[],
): Promise<Pick<Binary, 'licenses' | 'notices'>> {
  const { entrypoints, external, ...more } = inputs;
  const bundled = await Bun.build({
    ...more,
    entrypoints: [...entrypoints],
    external: [...external],
    plugins: [...plugins, withoutPg],
    metafile: true,
  });
  const server = Object.keys(bundled.metafile?.inputs ?? {}).map((path) => resolve(root, path));
  const libraries = readdirSync(join(native, 'lib')).filter((name) => /\.so(\.|$)|\.dylib$/.test(name));
  const held = [...server, ...clientSources, join(native, 'file')];
  const versions = { bun: Bun.version, postgres: readPostgresVersion(native) };
  return { licenses: collectLicenses(held, libraries, versions), notices: buildNotices(held, libraries) };
}

/** Reads the version from the program's own text, because the program of another system cannot be run. */
function readPostgresVersion(native: string): string {
  const program = readFileSync(join(native, 'bin', 'postgres'), 'latin1');
  const version = /postgres \(PostgreSQL\) (\d[\w.]*)/.exec(program)?.[1];
  if (version === undefined) throw new Error(`There is no PostgreSQL in ${native}.`);
  return version;
}

/** Replaces src/commands/notices-text.ts. */
function withNotices(text: string, licenses: readonly License[]): BunPlugin {
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
 * Links to libraries are created again when the archive is unpacked.
 */
async function packPostgres(native: string, path: string): Promise<BunPlugin> {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  const linked = new Set(links.map((link) => link.target));
  const entries: TarEntry[] = [];
  for (const name of readdirSync(native, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(native, name);
    const tarName = `native/${name.replaceAll('\\', '/')}`;
    if (isForBuilding(name) || linked.has(tarName) || !statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    entries.push({ name: tarName, size: bytes.length, content: [bytes], mode: 0o644 });
  }
  const bytes = await Bun.zstdCompress(Buffer.concat(await Array.fromAsync(writeTar(entries))), { level: 19 });
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
async function packClient(client: Awaited<ReturnType<typeof buildClient>>, folder: string): Promise<BunPlugin> {
  const imports: string[] = [];
  const packedFile = async ({ path, type, bodies }: BuiltFile): Promise<string> => {
    const named: string[] = [];
    for (const [encoding, bytes] of Object.entries(bodies)) {
      const file = join(folder, `${path.replaceAll('/', '_')}.${encoding}`);
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

/** Returns whether a file is only for building other programs. */
function isForBuilding(name: string): boolean {
  return /\.a$|(?:^|\/)(?:include|pkgconfig|pgxs|man|doc)\//.test(name);
}
