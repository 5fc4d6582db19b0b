import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noticesOf } from '../../scripts/notices/notices.ts';

describe('the notices of the binary', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-notices-'));
  const packageWith = (name: string, files: Readonly<Record<string, string>>): string => {
    const own = join(folder, 'node_modules', name);
    mkdirSync(join(own, 'dist'), { recursive: true });
    writeFileSync(join(own, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
    return join(own, 'dist', 'index.js');
  };

  test('name each package once, with all of its texts', () => {
    const file = packageWith('@a/b', { LICENSE: 'Do as you please.', 'NOTICE.txt': 'By Ann.' });
    const text = noticesOf(
      [file, `${file}x`, '/elsewhere/src/main.ts'],
      ['libz.so.1', 'libicui18n.so.60', 'libpq.so.5'],
    );
    expect(text.split('@a/b 1.2.3')).toHaveLength(2);
    expect(text).toContain('Do as you please.\n\nBy Ann.');
    expect(text).toContain('Jean-loup Gailly');
    expect(text).toContain('PostgreSQL Global Development Group');
  });

  test('fail where a package or a library has none', () => {
    expect(() => noticesOf([packageWith('bare', {})], [])).toThrow('bare');
    expect(() => noticesOf([], ['libnew.so.2'])).toThrow('libnew.so.2');
    rmSync(folder, { recursive: true });
  });
});
