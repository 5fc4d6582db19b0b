import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { tarFile } from '../../src/base/tar.ts';
import { buildBinary } from '../build.ts';
import { debianArchitecture, packagesOf, partsOf, type Target, targets } from '../targets.ts';
import { buildDebian, pack } from './debian.ts';
import { cutNotes } from './notes.ts';
import { buildProvenance, type ReleasedFile } from './provenance.ts';
import { buildSbom } from './sbom.ts';

/**
 * `npm run release` builds every file of a release into dist/release: for each target a tar of the binary and a bill of
 * materials, Debian packages, notes, provenance and checksums. The same commit gives the same bytes: the only time is the
 * commit's, or SOURCE_DATE_EPOCH in seconds. Refuses uncommitted changes, because the provenance names the commit.
 */
const root = join(import.meta.dir, '..', '..');
const folder = join(root, 'dist', 'release');
const { version } = manifest;
if (git('status', '--porcelain') !== '') {
  console.error('There are uncommitted changes. Commit them first, because the provenance names the commit.');
  process.exit(1);
}
const commit = git('rev-parse', 'HEAD');
const modified = Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct'));
const files: ReleasedFile[] = [];
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const target of targets) await releaseTarget(target);
await add('RELEASE-NOTES.md', cutNotes(readText('.github', 'CHANGELOG.md'), version));
const parts = targets.flatMap(packagesOf);
const lockfile = { name: 'bun.lock', sha256: sha256(readText('bun.lock')) };
await add('provenance.intoto.json', buildProvenance({ version, commit, targets, files: [...files], parts, lockfile }));
const sums = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
await Bun.write(join(folder, 'SHA256SUMS'), sums);
console.log(`${sums}\nLotbook ${version} from ${commit} is in ${relative(process.cwd(), folder)}`);

async function releaseTarget(target: Target): Promise<void> {
  const name = `lotbook-${version}-${target}`;
  const work = join(root, 'dist', 'releasing');
  const { outfile, licenses, notices } = await buildBinary(target, work);
  const binary = readFileSync(outfile);
  const entries = [{ ...tarFile(`${name}/lotbook`, binary), mode: 0o755, modified }];
  await add(`${name}.tar.gz`, await pack(entries));
  const { native } = partsOf(target);
  const bill = { version, target, licenses, parts: packagesOf(target), native, modified };
  await add(`${name}.cdx.json`, buildSbom(bill));
  const architecture = debianArchitecture(target);
  if (architecture !== null) {
    const unit = readText('scripts', 'deploy', 'lotbook.service');
    const environment = readText('scripts', 'deploy', 'lotbook.env');
    const contents = { version, architecture, binary, unit, environment, notices, modified };
    await add(`lotbook_${version}_${architecture}.deb`, await buildDebian(contents));
  }
  rmSync(work, { recursive: true });
}

async function add(name: string, content: string | Uint8Array): Promise<void> {
  await Bun.write(join(folder, name), content);
  files.push({ name, sha256: sha256(content) });
  console.log(name);
}

function sha256(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex');
}

function readText(...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8');
}

function git(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], { cwd: root });
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString().trim();
}
