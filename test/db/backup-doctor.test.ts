import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealBy } from '../../src/base/sealed.ts';
import { checkBackups } from '../../src/commands/doctor.ts';
import { loadConfig } from '../../src/config.ts';
import { openStore } from '../../src/db/backup/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotbook-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passphrase = 'a long passphrase';
const earlierFormat = JSON.stringify({ format: 1 });
const sealed = { suffix: '.sealed', passphrase };
const cases: readonly (readonly [string, string, { suffix?: string; passphrase?: string; text: string }])[] = [
  ['is encrypted: set BACKUP_PASSPHRASE.', '', { ...sealed, text: '{}' }],
  ['is not fully encrypted, so it is ignored while BACKUP_PASSPHRASE is set', passphrase, { text: '{}' }],
  [
    'cannot be opened with BACKUP_PASSPHRASE: the passphrase is different',
    'another passphrase',
    { ...sealed, text: '{}' },
  ],
  ['has a damaged index.', '', { text: 'damaged' }],
  ['was written by another version of Lotbook', '', { text: earlierFormat }],
  ['was written by another version of Lotbook', passphrase, { ...sealed, text: earlierFormat }],
];

test.each(cases)('doctor explains why no backup can be restored: %s', async (reason, used, stored) => {
  const place = mkdtempSync(join(folder, 'backups-'));
  const store = openStore(place, null);
  for (const id of ['20260101T000000Z-0001', '20260102T000000Z-0002']) {
    const name = `base/${id}.json${stored.suffix ?? ''}`;
    const bytes = pieces(stored.text);
    await store.write(name, stored.passphrase === undefined ? bytes : sealBy(stored.passphrase).seal(name, bytes));
  }
  const { state, detail } = await checkBackups(
    loadConfig({ DATA_DIR: folder, BACKUP_TO: place, BACKUP_PASSPHRASE: used }),
  );
  expect(state).toBe('fault');
  expect(detail).toStartWith(`no backup in ${place} can be restored. Ignored: 20260102T000000Z-0002 ${reason}`);
  expect(detail).not.toContain('20260101T000000Z-0001');
});

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
