import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { License } from '../../src/commands/notices-text.ts';
import { type LockedPackage, lockedPackages } from '../targets.ts';

/** What a binary contains, and where it comes from. */
export interface BillOfMaterials {
  readonly version: string;
  readonly target: string;
  readonly licenses: readonly License[];
  /** The npm packages of Bun and PostgreSQL for this target. */
  readonly parts: readonly LockedPackage[];
  /** The folder with PostgreSQL's bin, lib and share. */
  readonly native: string;
  /** When the release was made, in seconds since 1970. */
  readonly modified: number;
}

/**
 * Returns the software bill of materials of a binary in CycloneDX 1.6 JSON: Bun, PostgreSQL, the libraries beside it and
 * each npm package with code in the binary, with licenses and the SHA-512 digests in `bun.lock`.
 */
export function buildSbom({ version, target, licenses, parts, native, modified }: BillOfMaterials): string {
  const reference = `lotbook@${version}-${target}`;
  const locked = new Map([...lockedPackages(), ...parts].map((each) => [`${each.name}@${each.version}`, each]));
  const [bun] = parts;
  const components = licenses.map(({ name, version: stated, license }) => {
    const found = name === 'Bun' ? bun : locked.get(`${name}@${stated}`);
    const known = stated === '' ? libraryVersion(name, native) : stated;
    return {
      type: name === 'Bun' || name === 'PostgreSQL' ? 'application' : 'library',
      'bom-ref': `${name}@${known}`,
      name,
      ...(known === '' ? {} : { version: known }),
      ...(found === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hexOf(found) }], purl: purlOf(found) }),
      ...(name === 'PostgreSQL' ? { purl: `pkg:generic/postgresql@${known}` } : {}),
      licenses: [licenseOf(license)],
    };
  });
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(modified * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': reference, name: 'lotbook', version },
      properties: [{ name: 'lotbook:target', value: target }],
    },
    components,
    dependencies: [{ ref: reference, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the digest of a locked package in hexadecimal. */
export function hexOf({ integrity }: LockedPackage): string {
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
}

export function purlOf({ name, version }: LockedPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Expressions such as `MIT OR Apache-2.0`, and names that SPDX does not list, have their own members. */
function licenseOf(license: string): object {
  if (/\s/.test(license)) return { expression: license };
  return { license: notInSpdx.has(license) ? { name: license } : { id: license } };
}

const notInSpdx = new Set(['LicenseRef-Public-Domain', 'Bitstream-Vera']);

/** How the libraries beside PostgreSQL state their versions: in their text, or in the name of the file. */
const versionPatterns: Readonly<Record<string, { readonly file: RegExp; readonly text?: RegExp }>> = {
  openssl: { file: /^libcrypto\./, text: /OpenSSL (\d+\.\S+) +\d+ \w+ \d{4}/ },
  icu: { file: /^libicuuc\.(?:so\.)?(\d+\.\d+)/ },
  zlib: { file: /^libz\./, text: /deflate (\d+[.\d]+) Copyright/ },
  lz4: { file: /^liblz4\.(\d+\.\d+\.\d+)/ },
  zstd: { file: /^libzstd\.(\d+\.\d+\.\d+)/ },
};

/** Returns the version of a library, or an empty text if the library does not state it. */
function libraryVersion(name: string, native: string): string {
  const pattern = versionPatterns[name.replace(/-\d+$/, '')];
  const file = readdirSync(join(native, 'lib')).find((each) => pattern?.file.test(each));
  if (pattern === undefined || file === undefined) return '';
  if (pattern.text === undefined) return pattern.file.exec(file)?.[1] ?? '';
  return pattern.text.exec(readFileSync(join(native, 'lib', file), 'latin1'))?.[1] ?? '';
}
