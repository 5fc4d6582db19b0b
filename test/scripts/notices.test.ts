import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildNotices, collectLicenses } from '../../scripts/notices/notices.ts';

describe('the notices of the binary', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-notices-'));
  const packageWith = (name: string, files: Readonly<Record<string, string>>, license?: string): string => {
    const own = join(folder, 'node_modules', name);
    mkdirSync(join(own, 'dist'), { recursive: true });
    writeFileSync(join(own, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
    return join(own, 'dist', 'index.js');
  };

  test('name each package once, with all of its texts', () => {
    const file = packageWith('@a/b', { LICENSE: 'Do as you please.', 'NOTICE.txt': 'By Ann.' });
    const text = buildNotices(
      [file, `${file}x`, '/elsewhere/src/main.ts'],
      ['libz.so.1', 'libicui18n.so.60', 'libpq.so.5'],
    );
    expect(text.split('@a/b 1.2.3')).toHaveLength(2);
    expect(text).toContain('Do as you please.\n\nBy Ann.');
    expect(text).toContain('Jean-loup Gailly');
    expect(text).toContain('PostgreSQL Global Development Group');
  });

  test('list its licenses once each, and a package without one stops the build', () => {
    const versions = { bun: '1.4.5', postgres: '18.4' };
    const file = packageWith('free', {}, 'MIT');
    expect(collectLicenses([file, `${file}x`], ['libz.so.1', 'libpq.so.5'], versions)).toEqual([
      { name: 'Bun', version: '1.4.5', license: 'MIT' },
      { name: 'PostgreSQL', version: '18.4', license: 'PostgreSQL' },
      { name: 'zlib', version: '', license: 'Zlib' },
      { name: 'free', version: '1.2.3', license: 'MIT' },
    ]);
    const closed = packageWith('closed', {}, 'UNLICENSED');
    expect(() => collectLicenses([packageWith('silent', {}), closed], ['libnew.so.2'], versions)).toThrow(
      /closed, silent, libnew\.so\.2/,
    );
  });

  test('name the licenses of the newer libraries on macOS', () => {
    const libraries = ['libcrypto.3.dylib', 'libicui18n.77.1.dylib', 'libk5crypto.3.1.dylib', 'liblz4.1.10.0.dylib'];
    const licenses = collectLicenses([], libraries, { bun: '1.4.5', postgres: '18.4' });
    expect(licenses.slice(2).map(({ name, license }) => [name, license])).toEqual([
      ['icu-77', 'Unicode-3.0'],
      ['krb5', 'MIT'],
      ['lz4', 'BSD-2-Clause'],
      ['openssl-3', 'Apache-2.0'],
    ]);
    const text = buildNotices([], libraries);
    expect(text).toContain('Apache License');
    expect(text).not.toContain('OpenSSL 1.1.1');
  });

  test('fail if a package or a library has none', () => {
    expect(() => buildNotices([packageWith('bare', {})], [])).toThrow('bare');
    expect(() => buildNotices([], ['libnew.so.2'])).toThrow('libnew.so.2');
    rmSync(folder, { recursive: true });
  });
});
