import { dirname, join, normalize } from 'node:path';

/** The groups of features in order, each with its rooms in order. */
export const featureGroups = {
  people: ['seal', 'mail', 'notifications', 'auth', 'audit', 'plans', 'clients', 'billing'],
  ledger: [
    'blobs',
    'transactions',
    'prices',
    'books',
    'balances',
    'locks',
    'recompute',
    'allocation',
    'settings',
    'issues',
    'assets',
    'accounts',
    'imports',
    'connections',
    'archives',
  ],
  gains: ['planning', 'explanations', 'years', 'reconciliation', 'calculations', 'reports'],
  answers: ['help', 'feed', 'bulk', 'messages', 'mcp', 'status', 'demo'],
} as const;

/** The rooms in order. A file may import from its own room and from rooms further left. */
export const layers: readonly string[] = [
  'base',
  'engine',
  'formats',
  'forms',
  'config',
  'db',
  'server',
  'deps',
  'http',
  ...Object.values(featureGroups).flat(),
  'app',
  'web',
  'commands',
  'main',
];

/**
 * Nested rooms, each list in order. A file may import from its own room and from rooms further left in the list. A file
 * at the root belongs to no nested room: it contains what all of them use (`model.ts`), or combines them (`replay.ts`).
 */
export const roomsWithin: Readonly<Record<string, readonly string[]>> = {
  'src/engine': ['events', 'book', 'rules', 'plain', 'resume'],
  'src/engine/rules': [
    'lots',
    'lines',
    'wash-sales',
    'short-sales',
    'sales',
    'corporate-actions',
    'options',
    'transfers',
    'form-1099',
    'year',
  ],
  'src/forms': ['pdf', 'form-8949', 'schedule-d', 'full', 'exports', 'reconciliation'],
  'src/formats': ['rows', 'cells', 'tables', 'lotbook', 'sources', 'mapping'],
  'src/features/ledger/transactions': [
    'rows',
    'staged',
    'sources',
    'texts',
    'matched',
    'derived',
    'list',
    'resolutions',
  ],
  'src/web': ['format', 'api', 'parts', 'pages', 'frame', 'files'],
  'src/features/ledger/imports': ['status', 'reading', 'mappings', 'changes', 'preview'],
};

/** Packages that only one place may import. */
const homes: Readonly<Record<string, RegExp>> = {
  papaparse: /^src\/formats\/rows\/rows\.ts$/,
  jspdf: /^src\/forms\/pdf\/canvas\.ts$/,
  'decimal.js': /^src\/base\/decimal\.ts$/,
  arctic: /^src\/features\/people\/auth\/[^/]+\.ts$/,
  '@simplewebauthn/server': /^src\/features\/people\/auth\/passkeys\/webauthn\.ts$/,
  'pg-boss': /^src\/db\/boss\.ts$/,
  '@modelcontextprotocol/sdk': /^src\/features\/answers\/mcp\/server\.ts$/,
  stripe: /^src\/features\/people\/billing\/stripe\.ts$/,
  nodemailer: /^src\/features\/people\/mail\/smtp\.ts$/,
  postgres: /^src\/db\/[^/]+\.ts$/,
  '@opentelemetry/api': /^src\/server\/otlp-traces\.ts$/,
  '@opentelemetry/exporter-trace-otlp-http': /^src\/server\/otlp-traces\.ts$/,
  '@opentelemetry/resources': /^src\/server\/otlp-traces\.ts$/,
  '@opentelemetry/sdk-trace-base': /^src\/server\/otlp-traces\.ts$/,
};

/** Packages that must have only one importing file, wherever it is. */
const single = [
  'papaparse',
  'jspdf',
  'decimal.js',
  'arctic',
  'nodemailer',
  '@simplewebauthn/server',
  'pg-boss',
  'stripe',
  'minisearch',
];

/** Large packages that a server loads on first use. Each is imported by `import()`, except for its types. */
const loadedWhenUsed = [
  '@elysiajs/openapi',
  '@modelcontextprotocol/sdk',
  '@opentelemetry/exporter-trace-otlp-http',
  '@simplewebauthn/server',
  'arctic',
  'jspdf',
  'nodemailer',
  'openai',
  'otpauth',
  'pg-boss',
  'stripe',
];

/** Rooms without a framework, so they work without a server. */
const withoutFramework = ['base', 'engine', 'formats', 'forms', 'config', 'db'];

/**
 * Returns the violations of the rules in a source tree, one sentence each. `files` maps a path from the root to its
 * text.
 */
export function violations(files: ReadonlyMap<string, string>): string[] {
  const sources = [...files].filter(([path]) => /^src\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
  return [
    ...sources.flatMap(([path, text]) => [
      ...importsOf(text).flatMap((target) => [...layerBroken(path, target), ...packageAstray(path, target)]),
      ...loadedEarly(path, text),
      ...sqlAstray(path, text),
      ...clockAstray(path, text),
    ]),
    ...homesDoubled(sources),
    ...roomsBroken(sources),
    ...circles(sources.filter(([path]) => !path.startsWith('src/commands/report/'))),
  ];
}

const listRemedy = 'move the file, or add its folder to layers in test/support/layering.ts';
const orderRemedy = 'move the imported code to an earlier room, or pass it as an argument';

function layerBroken(path: string, target: string): string[] {
  const to = pathOf(path, target);
  if (to === undefined) return [];
  const [from, there] = [layerOf(path), layerOf(to)];
  if (from === undefined) return [`${path} is in no room: ${listRemedy}`];
  if (there === undefined) return [`${path} imports ${to}, which is in no room: ${listRemedy}`];
  return layers.indexOf(there) <= layers.indexOf(from)
    ? []
    : [`${path} (${from}) imports ${to} (${there}): ${orderRemedy}`];
}

function roomsBroken(sources: readonly Source[]): string[] {
  return sources.flatMap(([path, text]) =>
    importsOf(text).flatMap((target) => {
      const to = pathOf(path, target);
      return Object.entries(roomsWithin).flatMap(([room, order]) => {
        const [from, there] = [path, to ?? ''].map((file) => order.indexOf(roomIn(room, file)));
        const isBroken = from !== undefined && there !== undefined && from >= 0 && there > from;
        return isBroken
          ? [`${path} imports ${to}: ${room} has ${order[there]} after ${order[from]}: ${orderRemedy}`]
          : [];
      });
    }),
  );
}

/**
 * Returns the name of the nested room that contains a file: its folder, or `list` for `list.queries.ts`. Empty for other
 * files at the root of the room and for files outside of it.
 */
function roomIn(room: string, file: string): string {
  const [first = '', ...rest] = file.startsWith(`${room}/`) ? file.slice(room.length + 1).split('/') : [];
  return rest.length > 0 ? first : (/^(.+)\.[a-z]+\.tsx?$/.exec(first)?.[1] ?? '');
}

/** Returns files that import one another in a circle, including types. */
function circles(sources: readonly Source[]): string[] {
  const arrows = new Map(
    sources.map(([path, text]) => [path, importsOf(text).flatMap((target) => pathOf(path, target) ?? [])]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push(`${[...way.slice(at), path].join(' imports ')}: move what both need to a third file`);
    if (at >= 0 || done.has(path)) return;
    for (const next of arrows.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of arrows.keys()) visit(path, []);
  return found;
}

type Source = readonly [path: string, text: string];

/** Returns the file in src/ that an import refers to. */
function pathOf(path: string, target: string): string | undefined {
  const to = normalize(join(dirname(path), target));
  return target.startsWith('.') && to.startsWith('src/') ? to : undefined;
}

function packageAstray(path: string, target: string): string[] {
  const name = packageOf(target);
  const home = homes[name];
  if (home !== undefined && !home.test(path))
    return [`${path} imports ${name}: use the file that wraps it (see homes in test/support/layering.ts)`];
  const layer = layerOf(path);
  const isFramework = name === 'elysia' || name.startsWith('@elysiajs/');
  return isFramework && layer !== undefined && withoutFramework.includes(layer)
    ? [`${path} imports the framework (${name}): move this code to a room from deps on`]
    : [];
}

/** A file that is itself loaded on first use may import such a package normally. */
const filesLoadedWhenUsed = [
  'src/http/openapi/document.ts',
  'src/features/answers/mcp/server.ts',
  'src/server/otlp-traces.ts',
];

function loadedEarly(path: string, text: string): string[] {
  if (filesLoadedWhenUsed.includes(path)) return [];
  const statics = [...withoutComments(text).matchAll(/(?:^|\n)import\s+(?!type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g)];
  const targets = statics.map(([, target = '']) => pathOf(path, target) ?? packageOf(target));
  const early = targets.filter((name) => loadedWhenUsed.includes(name) || filesLoadedWhenUsed.includes(name));
  return early.map(
    (name) => `${path} imports ${name} when it starts: use "await import('${name}')" in the function that needs it`,
  );
}

function homesDoubled(sources: readonly Source[]): string[] {
  return single.flatMap((name) => {
    const users = sources.filter(([, text]) => importsOf(text).some((target) => packageOf(target) === name));
    return users.length > 1
      ? [`${name} is imported by ${users.map(([path]) => path).join(' and ')}: keep one and call it from the other`]
      : [];
  });
}

function sqlAstray(path: string, text: string): string[] {
  if (path.startsWith('src/db/') || /[/.]queries\.ts$/.test(path)) return [];
  const code = withoutComments(text);
  const tagged = /\b(?:sql|tx)(?:<[^`;()]*>)?`|\.unsafe\(/.test(code);
  const written =
    /['"`]\s*(?:select\s+[\w*(]|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|truncate\s|copy\s+\w+\s+(?:from|to)\s|set\s+local\s)/.test(
      code,
    );
  return tagged || written
    ? [`${path} writes SQL: move it to src/db or to a file named queries.ts or *.queries.ts`]
    : [];
}

function clockAstray(path: string, text: string): string[] {
  if (path === 'src/deps.ts') return [];
  const read = /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()|(?<!new )\bDate\(|\bTemporal\.Now\b/.exec(
    // A column may be named `Date(UTC)`.
    withoutComments(text).replace(/'[^'\n]*'|`[^`$]*`/g, "''"),
  );
  return read === null ? [] : [`${path} reads a clock (${read[0]}): take the time from deps.clock, or as an argument`];
}

/** Returns the room of a file: a folder, or the first word of a file (`audit` for `people/audit.queries.ts`). */
function layerOf(path: string): string | undefined {
  const [, group, name = ''] = /^src\/(?:features\/([a-z]+)\/)?([a-z0-9-]+)[/.]/.exec(path) ?? [];
  const rooms = group === undefined ? layers : Object.entries(featureGroups).find(([each]) => each === group)?.[1];
  return rooms?.find((layer) => layer === name);
}

/** Returns static and dynamic imports, re-exports, and the files of Workers. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text);
  const patterns = [
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
    /\bnew URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? ''));
}

function packageOf(target: string): string {
  if (target.startsWith('.')) return '';
  const parts = target.split('/');
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1');
}
