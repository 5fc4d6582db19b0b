import { expect, test } from 'bun:test';
import { buildDebian } from '../../scripts/release/debian.ts';
import { cutNotes } from '../../scripts/release/notes.ts';
import { buildProvenance } from '../../scripts/release/provenance.ts';
import { buildSbom } from '../../scripts/release/sbom.ts';
import { findLocked, hostTarget, packagesOf, partsOf } from '../../scripts/targets.ts';

const contents = {
  ...{ version: '1.2.3', architecture: 'amd64', modified: 1_700_000_000, environment: 'PORT=3000\n', notices: 'MIT' },
  binary: new Uint8Array(2_001).fill(7),
  unit: '# Copy this file.\n[Unit]\n[Service]\nExecStart=/usr/local/bin/lotbook serve\n',
};

/** Returns the files of an `ar` archive (deb(5)). */
function readAr(bytes: Uint8Array): Map<string, Uint8Array> {
  const text = (from: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).trimEnd();
  expect(text(0, 8)).toBe('!<arch>');
  const files = new Map<string, Uint8Array>();
  for (let at = 8; at < bytes.length; ) {
    const size = Number(text(at + 48, 10));
    expect(text(at + 58, 2)).toBe('`');
    files.set(text(at, 16), bytes.subarray(at + 60, at + 60 + size));
    at += 60 + size + (size % 2);
  }
  return files;
}

/** Returns the files of a tar (POSIX ustar). `dpkg` expects names that begin with `./`, which our own reader refuses. */
function readTar(bytes: Uint8Array | undefined): Map<string, { text: string; mode: string }> {
  const tar = Buffer.from(Bun.gunzipSync(new Uint8Array(bytes ?? [])));
  const files = new Map<string, { text: string; mode: string }>();
  for (let at = 0; tar[at] !== 0; ) {
    const textAt = (from: number, length: number) =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(textAt(124, 12), 8);
    files.set(textAt(0, 100), { text: textAt(512, size), mode: textAt(100, 8) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

test('a Debian package has its files with their modes, and the same contents give the same bytes', async () => {
  const bytes = await buildDebian(contents);
  expect(Buffer.compare(bytes, await buildDebian(contents))).toBe(0);
  const archive = readAr(bytes);
  expect([...archive.keys()]).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz']);
  const control = readTar(archive.get('control.tar.gz'));
  expect(control.get('./control')?.text).toMatch(/^Package: lotbook\nVersion: 1\.2\.3\nArchitecture: amd64\n/);
  expect(control.get('./conffiles')?.text).toBe('/etc/lotbook.env\n');
  expect(control.get('./postinst')?.mode).toBe('0000755');
  const data = readTar(archive.get('data.tar.gz'));
  expect(data.get('./usr/bin/lotbook')).toEqual({ text: '\x07'.repeat(2_001), mode: '0000755' });
  expect(data.get('./etc/lotbook.env')).toEqual({ text: 'PORT=3000\n', mode: '0000600' });
  expect(data.get('./usr/lib/systemd/system/lotbook.service')?.text).toBe(
    '[Unit]\n[Service]\nExecStart=/usr/bin/lotbook serve\n',
  );
});

test('the notes are the section of the version, or a preview of it', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\nNew.\n\n## 0.2.0\n\nOld.\n';
  expect(cutNotes(changelog, '0.2.0')).toBe('# Lotbook 0.2.0\n\nOld.\n');
  expect(cutNotes(changelog, '0.3.0')).toBe(
    '# Lotbook 0.3.0\n\nA preview of this version, which is not released.\n\nNew.\n',
  );
  expect(() => cutNotes('# Changelog\n', '0.3.0')).toThrow(/no section for 0\.3\.0/);
});

test('the provenance names each file, the commit and the packages with their digests', () => {
  const parts = packagesOf('linux-arm64');
  const { subject, predicate } = JSON.parse(
    buildProvenance({
      ...{ version: '1.2.3', commit: 'c0ffee', targets: ['linux-arm64'], parts },
      files: [{ name: 'a', sha256: '00' }],
      lockfile: { name: 'bun.lock', sha256: '11' },
    }),
  );
  expect(subject).toEqual([{ name: 'a', digest: { sha256: '00' } }]);
  const [source, lockfile, bun] = predicate.buildDefinition.resolvedDependencies;
  expect([source, lockfile]).toEqual([
    { name: 'source', digest: { gitCommit: 'c0ffee' } },
    { name: 'bun.lock', digest: { sha256: '11' } },
  ]);
  const sha512 = Buffer.from(parts[0]?.integrity.slice(7) ?? '', 'base64').toString('hex');
  expect(bun).toEqual({ uri: `pkg:npm/%40oven/bun-linux-aarch64@${parts[0]?.version}`, digest: { sha512 } });
});

test('the bill of materials has a package with its version, license and digest', () => {
  const { version, integrity } = findLocked('saxes');
  const { native } = partsOf(hostTarget);
  const licenses = [{ name: 'saxes', version, license: 'ISC', text: '' }];
  const bill = { version: '1.2.3', target: 'linux-x64', licenses, parts: [], native, modified: 0 };
  const { components, metadata } = JSON.parse(buildSbom(bill));
  expect(metadata.timestamp).toBe('1970-01-01T00:00:00.000Z');
  expect(components).toEqual([
    {
      ...{ type: 'library', name: 'saxes', version, 'bom-ref': `saxes@${version}`, purl: `pkg:npm/saxes@${version}` },
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
      licenses: [{ license: { id: 'ISC' } }],
    },
  ]);
});
