import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltFile, buildClient } from './build.ts';
import type { ClientBundle, ClientFile } from './client-file.ts';

/**
 * Returns the files of the web client. When run from source, they are built on the first request and again after a
 * source changes. The build of the binary replaces this module with the finished files.
 */
export async function clientBundle(): Promise<ClientBundle> {
  if (current === undefined || changedAt(current.sources) > current.at) current = start();
  return current.bundle;
}

/** This level is fast, and its files are a tenth larger than in the binary. */
const brotliQuality = 5;

interface Build {
  readonly bundle: Promise<ClientBundle>;
  /** When the build started, in milliseconds since 1970. Compared with the modification times of files. */
  readonly at: number;
  sources: readonly string[];
}

let current: Build | undefined;

function start(): Build {
  const build: Build = { bundle: finished(), at: performance.timeOrigin + performance.now(), sources: [] };
  async function finished(): Promise<ClientBundle> {
    const { index, etag, files, sources } = await buildClient(brotliQuality);
    build.sources = sources;
    return { index: storedFile(index), etag, files: new Map(files.map((file) => [file.path, storedFile(file)])) };
  }
  return build;
}

function storedFile({ type, bodies }: BuiltFile): ClientFile {
  const { br, gzip, identity } = bodies;
  return { type, bodies: { br: new Blob([br]), gzip: new Blob([gzip]), identity: new Blob([identity]) } };
}

function changedAt(sources: readonly string[]): number {
  const clientSources = sources.filter((path) => path.startsWith(clientFolder));
  return Math.max(0, ...clientSources.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

const clientFolder = join(import.meta.dir, '..');
