import type { LockedPackage } from '../targets.ts';
import { hexOf, purlOf } from './sbom.ts';

/** A file of the release and its SHA-256 in hexadecimal. */
export interface ReleasedFile {
  readonly name: string;
  readonly sha256: string;
}

interface Build {
  readonly version: string;
  readonly commit: string;
  readonly targets: readonly string[];
  readonly files: readonly ReleasedFile[];
  /** The packages whose programs are in the binaries. */
  readonly parts: readonly LockedPackage[];
  readonly lockfile: ReleasedFile;
}

/**
 * Returns an in-toto statement (v1) with SLSA provenance (v1): from which commit, packages and command each file was
 * built. It is not signed, and contains no times, so equal commits give equal bytes.
 */
export function buildProvenance({ version, commit, targets, files, parts, lockfile }: Build): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:lotbook:release:1',
        externalParameters: { command: 'npm run release', version, targets },
        internalParameters: {},
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: lockfile.name, digest: { sha256: lockfile.sha256 } },
          ...parts.map((part) => ({ uri: purlOf(part), digest: { sha512: hexOf(part) } })),
        ],
      },
      runDetails: { builder: { id: 'urn:lotbook:local', version: { bun: Bun.version } } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}
