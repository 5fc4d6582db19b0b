import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ContentEncoding } from './client-file.ts';

/** A built file before it is stored: its path, content type and bytes in each encoding. */
export interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly bodies: Readonly<Record<ContentEncoding, Uint8Array<ArrayBuffer>>>;
}

interface BuiltClient {
  readonly index: BuiltFile;
  /** A strong validator for the start page. */
  readonly etag: string;
  readonly files: readonly BuiltFile[];
  /** The input files: sources and packages. */
  readonly sources: readonly string[];
}

const root = join(import.meta.dir, '..', '..', '..');

/**
 * Bundles the web client with one entry point, a chunk for each page, and hashes in the names. `quality` is the Brotli
 * level. The highest, 11, takes two seconds and is for the binary.
 */
export async function buildClient(quality: number): Promise<BuiltClient> {
  const built = await Bun.build({
    entrypoints: [join(root, 'src', 'web', 'client.tsx')],
    root: join(root, 'src', 'web'),
    target: 'browser',
    splitting: true,
    minify: true,
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    publicPath: '/assets/',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  });
  const files: BuiltFile[] = [];
  // The order of the outputs differs from build to build, and a release must give the same bytes.
  for (const output of built.outputs.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const name = output.path.slice(output.path.lastIndexOf('/') + 1);
    files.push(builtFile(`/assets/${name}`, new Uint8Array(await output.arrayBuffer()), quality));
  }
  const entry = built.outputs.find(({ kind }) => kind === 'entry-point');
  if (entry === undefined) throw new Error('The web client was built without its entry point.');
  const script = files.find(({ path }) => entry.path.endsWith(path.slice('/assets/'.length)));
  const styles = files.filter(({ path }) => /\/client-\w+\.css$/.test(path));
  const html = renderPage(
    [script?.path ?? ''],
    styles.map(({ path }) => path),
  );
  return {
    index: builtFile('/index.html', new TextEncoder().encode(html), quality),
    etag: `"${Bun.hash(html).toString(36)}"`,
    files,
    sources: Object.keys(built.metafile?.inputs ?? {}).map((path) => resolve(path)),
  };
}

function builtFile(path: string, bytes: Uint8Array<ArrayBuffer>, quality: number): BuiltFile {
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  return {
    path,
    type: types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    bodies: { br: new Uint8Array(br), gzip: new Uint8Array(gzipSync(bytes)), identity: bytes },
  };
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Renders the only HTML page. Its content security policy allows no inline scripts or styles. */
function renderPage(scripts: readonly string[], styles: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Capital gains for US investors and traders: from any CSV to Form 8949.">
<meta name="theme-color" content="#f6f8f6" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f1412" media="(prefers-color-scheme: dark)">
<title>Lotbook</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
${scripts.map((path) => `<script type="module" src="${path}"></script>`).join('\n')}
</head>
<body>
<div id="app"></div>
<noscript>Lotbook's pages need JavaScript. The API does not: <a href="/docs">its documentation</a>.</noscript>
</body>
</html>
`;
}
