import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { License } from '../../src/commands/notices-text.ts';

/**
 * Returns the licenses and notices for everything in the binary: each package with code or files in it, the libraries
 * next to PostgreSQL's programs, PostgreSQL and Bun. A part without a text stops the build.
 */
export function buildNotices(files: readonly string[], libraries: readonly string[]): string {
  const packages = listPackages(files);
  const missing: string[] = [];
  const sections = packages.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = readLicense(folder) ?? ownText(withoutText[name]);
    if (text === undefined) missing.push(name);
    return formatSection(`${name} ${version}`, text ?? '');
  });
  for (const library of libraries) {
    if (textNameOf(library) === undefined) missing.push(library);
  }
  if (missing.length > 0)
    throw new Error(`Parts of the binary have no notice: ${missing.join(', ')}. Add their texts to scripts/notices.`);
  const used = new Set(['bun', 'postgresql', ...libraries.map(textNameOf)]);
  const others = ['bun', ...Object.keys(ownLicenses)].filter((name) => used.has(name));
  return [head, ...others.map((name) => ownText(name) ?? ''), ...sections].join(rule);
}

/** Returns the license of each part. A part without a license stops the build. */
export function collectLicenses(
  files: readonly string[],
  libraries: readonly string[],
  versions: { readonly bun: string; readonly postgres: string },
): License[] {
  const missing: string[] = [];
  const packages = listPackages(files).map((folder): License => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const stated = statedOtherwise[name] ?? license;
    const isFree = typeof stated === 'string' && !/^(?:UNLICENSED|SEE LICEN[CS]E)/i.test(stated);
    if (!isFree) missing.push(name);
    return { name, version, license: isFree ? stated : '' };
  });
  const texts = libraries.map((file) => textNameOf(file) ?? file);
  const beside = [...new Set(texts)].sort().map((name): License => {
    const license = ownLicenses[name];
    if (license === undefined) missing.push(name);
    return { name, version: '', license: license ?? '' };
  });
  if (missing.length > 0) throw new Error(`Parts of the binary have no license: ${missing.join(', ')}.`);
  return [
    { name: 'Bun', version: versions.bun, license: 'MIT' },
    { name: 'PostgreSQL', version: versions.postgres, license: 'PostgreSQL' },
    ...beside.filter(({ name }) => name !== 'postgresql'),
    ...packages,
  ];
}

const head = 'Lotbook contains the work of others. These are their notices.\n';
const rule = `\n${'-'.repeat(80)}\n\n`;
const own = join(import.meta.dir);

/** Packages without their own license text, and the file here that contains it. */
const withoutText: Readonly<Record<string, string>> = { postgres: 'postgres-js', saxes: 'saxes' };

/** The libraries next to PostgreSQL's programs, and the files here that contain their texts. */
const ownTexts: Readonly<Record<string, string>> = {
  libcom: 'krb5',
  libcrypto: 'openssl',
  libssl: 'openssl',
  libecpg: 'postgresql',
  libedit: 'libedit',
  libgssapi: 'krb5',
  libiconv: 'gnu-libraries',
  libpgtypes: 'postgresql',
  libpq: 'postgresql',
  libicudata: 'icu',
  libicui: 'icu',
  libicuuc: 'icu',
  libintl: 'gnu-libraries',
  libk: 'krb5',
  libkrb: 'krb5',
  liblz: 'lz4',
  liblzma: 'xz',
  libossp: 'ossp-uuid',
  libxml: 'libxml2',
  libxslt: 'libxslt',
  libuuid: 'libuuid',
  libz: 'zlib',
  libzstd: 'zstd',
};

/** The libraries of macOS that have another license than on Linux, because they are newer. */
const macTexts: Readonly<Record<string, string>> = {
  libcrypto: 'openssl-3',
  libssl: 'openssl-3',
  libicudata: 'icu-77',
  libicui: 'icu-77',
  libicuuc: 'icu-77',
};

/** Packages that specify their license in an unusual form. Their texts contain it. */
const statedOtherwise: Readonly<Record<string, string>> = { 'dejavu-fonts-ttf': 'Bitstream-Vera' };

/** The folder for the texts in this repository. */
const ownLicenses: Readonly<Record<string, string>> = {
  postgresql: 'PostgreSQL',
  openssl: 'OpenSSL',
  icu: 'Unicode-TOU',
  xz: 'LicenseRef-Public-Domain',
  'ossp-uuid': 'MIT',
  libxml2: 'MIT',
  libxslt: 'MIT',
  zlib: 'Zlib',
  'openssl-3': 'Apache-2.0',
  'icu-77': 'Unicode-3.0',
  'gnu-libraries': 'LGPL-2.1-or-later',
  krb5: 'MIT',
  libedit: 'BSD-3-Clause',
  libuuid: 'BSD-3-Clause',
  lz4: 'BSD-2-Clause',
  zstd: 'BSD-3-Clause',
};

function textNameOf(library: string): string | undefined {
  const stem = stemOf(library);
  return (library.endsWith('.dylib') ? macTexts[stem] : undefined) ?? ownTexts[stem];
}

/** Returns `libz` for `libz.so.1`. */
function stemOf(library: string): string {
  return /^lib[a-z0-9]+?(?=[-_.\d])/.exec(library)?.[0] ?? library;
}

function listPackages(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => findPackage(file) ?? []))].sort(byName);
}

function ownText(name: string | undefined): string | undefined {
  return name === undefined ? undefined : readFileSync(join(own, `${name}.txt`), 'utf8');
}

/** Returns the folder of the package that a file belongs to: the innermost one, because packages can contain others. */
function findPackage(file: string): string | undefined {
  if (!file.includes('node_modules')) return undefined;
  for (let folder = dirname(file); basename(folder) !== 'node_modules'; folder = dirname(folder)) {
    const isPackage = /node_modules\/(?:@[^/]+\/)?[^/@]+$/.test(folder);
    if (isPackage && existsSync(join(folder, 'package.json'))) return folder;
  }
  return undefined;
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** Returns all license and notice files in the package, joined. */
function readLicense(folder: string): string | undefined {
  const names = readdirSync(folder).filter((name) => /licen[cs]e|notice|copying|unlicense/i.test(name));
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function formatSection(title: string, text: string): string {
  return `${title}\n\n${text}\n`;
}
