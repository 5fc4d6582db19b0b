import { type TarEntry, tarFile, writeTar } from '../../src/base/tar.ts';

/** What a Debian package of Lotbook contains. */
export interface DebianContents {
  readonly version: string;
  /** Debian's name, such as `amd64`. */
  readonly architecture: string;
  readonly binary: Uint8Array;
  /** `scripts/deploy/lotbook.service` and `lotbook.env`. */
  readonly unit: string;
  readonly environment: string;
  /** The licenses of everything in the binary. */
  readonly notices: string;
  /** When the files were changed, in seconds since 1970. */
  readonly modified: number;
}

/**
 * Returns a package for `dpkg`: the program, the systemd unit and its variables, which an upgrade does not replace. It
 * adds the user `lotbook` and its data folder. The format is deb(5): an `ar` archive of two tars. We write it ourselves
 * because `dpkg-deb` is only on Debian, and its output depends on the user and the file system.
 */
export async function buildDebian(contents: DebianContents): Promise<Uint8Array> {
  const { binary, unit, environment, notices, modified } = contents;
  const files: readonly [name: string, content: string | Uint8Array, mode: number][] = [
    // It can contain passwords. systemd reads it as root.
    ['etc/lotbook.env', environment, 0o600],
    ['usr/bin/lotbook', binary, 0o755],
    ['usr/lib/systemd/system/lotbook.service', unitOf(unit), 0o644],
    ['usr/share/doc/lotbook/copyright', notices, 0o644],
  ];
  const folders = new Set<string>();
  for (const [name] of files) {
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) folders.add(name.slice(0, at + 1));
  }
  const data: TarEntry[] = [
    ...['', ...folders].map((name) => ({ ...tarFile(`./${name}`, ''), mode: 0o755, modified })),
    ...files.map(([name, content, mode]) => ({ ...tarFile(`./${name}`, content), mode, modified })),
  ];
  const sums = files
    .filter(([name]) => !name.startsWith('etc/'))
    .map(([name, content]) => `${md5(content)}  ${name}\n`);
  const kilobytes = Math.ceil(data.reduce((sum, { size }) => sum + size, 0) / 1024);
  const control: readonly (readonly [name: string, content: string, mode: number])[] = [
    ['control', controlOf(contents, kilobytes), 0o644],
    ['conffiles', '/etc/lotbook.env\n', 0o644],
    ['md5sums', sums.join(''), 0o644],
    ...Object.entries(scripts).map(([name, text]) => [name, `#!/bin/sh\nset -e\n${text}`, 0o755] as const),
  ];
  return writeAr(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      [
        'control.tar.gz',
        await pack(control.map(([name, text, mode]) => ({ ...tarFile(`./${name}`, text), mode, modified }))),
      ],
      ['data.tar.gz', await pack(data)],
    ],
    modified,
  );
}

/** Compresses with gzip, which every `dpkg` can read. */
export async function pack(entries: readonly TarEntry[]): Promise<Uint8Array> {
  return Bun.gzipSync(Buffer.concat(await Array.fromAsync(writeTar(entries))), { level: 9 });
}

/** Debian's programs are in /usr/bin. The comment at the top explains an installation by hand. */
function unitOf(unit: string): string {
  return unit.slice(unit.indexOf('[Unit]')).replace('/usr/local/bin/lotbook', '/usr/bin/lotbook');
}

/** The libraries are those that Bun and PostgreSQL are linked with. Both need glibc 2.27. */
function controlOf({ version, architecture }: DebianContents, kilobytes: number): string {
  return `Package: lotbook
Version: ${version}
Architecture: ${architecture}
Maintainer: Lotbook <lotbook@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.27), libgcc-s1, libstdc++6, passwd
Recommends: ca-certificates
Section: misc
Priority: optional
Description: capital gains for US investors, traders and their CPAs
 One program with the server, the web client, the documentation and PostgreSQL.
 It calculates capital gains from the files of brokers and exchanges, and prints
 Form 8949 and Schedule D.
`;
}

const hasSystemd = '[ -d /run/systemd/system ]';
/** The maintainer scripts (Debian Policy, chapter 6). A server that does not start must not leave the package half installed. */
const scripts = {
  postinst: `if [ "$1" = configure ]; then
  getent passwd lotbook >/dev/null || useradd --system --user-group --no-create-home --home-dir /var/lib/lotbook \\
    --shell /usr/sbin/nologin lotbook
  install -d -m 711 -o lotbook -g lotbook /var/lib/lotbook
  if ${hasSystemd}; then
    systemctl daemon-reload
    if [ -z "$2" ]; then systemctl enable --now lotbook || true; else systemctl try-restart lotbook || true; fi
  fi
fi
`,
  prerm: `if [ "$1" = remove ] && ${hasSystemd}; then systemctl disable --now lotbook || true; fi
`,
  postrm: `if ${hasSystemd}; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then echo 'The books in /var/lib/lotbook and the user lotbook are kept.'; fi
`,
};

function md5(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('md5').update(content).digest('hex');
}

/** Writes an archive in the common format of `ar`: a header of 60 characters before each file. */
function writeAr(files: readonly [name: string, bytes: Uint8Array][], modified: number): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from('!<arch>\n')];
  for (const [name, bytes] of files) {
    const columns = [name.padEnd(16), String(modified).padEnd(12), '0     ', '0     ', '100644  '];
    pieces.push(Buffer.from(`${columns.join('')}${String(bytes.length).padEnd(10)}\`\n`), bytes);
    if (bytes.length % 2 === 1) pieces.push(Buffer.from('\n'));
  }
  return Buffer.concat(pieces);
}
