import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featureGroups, layers, roomsWithin, violations } from './support/layering.ts';

const root = join(import.meta.dir, '..');

test('every import points left or stays in its room, and every restricted word is used only where it is permitted', () => {
  const files = new Map<string, string>();
  for (const path of new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root))
    files.set(path, readFileSync(join(root, path), 'utf8'));
  expect(files.size).toBeGreaterThan(20);
  expect(violations(files)).toEqual([]);
});

test('DESIGN.md lists the rooms in the order of the rules', () => {
  const text = readFileSync(join(root, '.github', 'DESIGN.md'), 'utf8').replace(/\s+/g, ' ');
  const features: readonly string[] = Object.values(featureGroups).flat();
  const outside = layers.map((layer) => (features.includes(layer) ? 'features' : layer));
  expect(text).toContain(`\`${[...new Set(outside)].join(' · ')}\``);
  for (const [group, rooms] of Object.entries(featureGroups)) {
    expect(text).toContain(`- \`${group}\`: \`${rooms.join(' · ')}\``);
  }
  for (const room of ['engine', 'formats', 'forms'] as const) {
    expect(text).toContain(`- \`${room}\`: \`${roomsWithin[`src/${room}`]?.join(' · ')}\``);
  }
});

/** Violations that the rules must detect, planted one at a time. */
const planted: readonly (readonly [what: string, path: string, text: string])[] = [
  ['an import to the right', 'src/engine/replay.ts', `import { readRows } from '../formats/rows.ts';`],
  ['a type imported from the right', 'src/base/day.ts', `import type { Lot } from '../engine/model.ts';`],
  ['a re-export from the right', 'src/db/connection.ts', `export { systemClock } from '../deps.ts';`],
  ['a dynamic import to the right', 'src/http/guard.ts', `const a = await import('../app.ts');`],
  ['a worker to the right', 'src/forms/pdf.ts', `new Worker(new URL('../web/page.ts', import.meta.url));`],
  [
    'a feature of the right',
    'src/features/people/auth/auth.routes.ts',
    `import { readStatus } from '../status/queries.ts';`,
  ],
  ['an import over several lines', 'src/engine/replay.ts', `import {\n  a,\n  b,\n} from '../db/connection.ts';`],
  ['a folder that is not in the list', 'src/helpers/text.ts', `import { parseDay } from '../base/day.ts';`],
  ['a query outside its file', 'src/features/ledger/recompute/recompute.ts', 'await sql`select 1`;'],
  ['a typed query outside its file', 'src/features/gains/years/year.ts', 'await sql<{ n: number }[]>`select 1`;'],
  ['SQL as text', 'src/features/ledger/books/books.ts', `const query = 'select id from lots';`],
  ['papaparse elsewhere', 'src/formats/sources/kraken.ts', `import Papa from 'papaparse';`],
  ['jspdf elsewhere', 'src/features/gains/reports/pdf.ts', `await import('jspdf');`],
  ['decimal.js elsewhere', 'src/engine/money.ts', `import Decimal from 'decimal.js';`],
  ['postgres elsewhere', 'src/features/ledger/imports/copy.ts', `import postgres from 'postgres';`],
  ['a large package at the start', 'src/features/people/billing/stripe.ts', `import Stripe from 'stripe';`],
  [
    'a file of a large package at the start',
    'src/app.ts',
    `import { answerByHttp } from './features/answers/mcp/server.ts';`,
  ],
  ['arctic elsewhere', 'src/http/oauth.ts', `await import('arctic');`],
  ['a framework below config', 'src/formats/schema.ts', `import { t } from 'elysia';`],
  ['the framework’s plugins below config', 'src/db/docs.ts', `await import('@elysiajs/openapi');`],
  ['the time of day', 'src/engine/rules/year/year.ts', 'const now = new Date();'],
  ['the time of day in milliseconds', 'src/features/people/auth/session.ts', 'const now = Date.now();'],
  ['the time of day by name', 'src/features/people/auth/session.ts', 'const read = Date.now;'],
];

test.each(planted)('%s is detected', (_what, path, text) => {
  expect(violations(new Map([[path, text]]))).toHaveLength(1);
});

test('violations between subrooms and cycles are detected', () => {
  const broken: Record<string, string> = {
    'src/engine/book/lots.ts': `import { sale } from '../rules/sales/sale.ts';`,
    'src/engine/rules/lots/take.ts': `import type { Columns } from '../lines/columns.ts';`,
    'src/engine/events/keys.ts': `import type { Event } from './event.ts';`,
    'src/engine/events/event.ts': `import { keyOf } from './keys.ts';`,
  };
  expect(violations(new Map(Object.entries(broken)))).toEqual([
    'src/engine/book/lots.ts imports src/engine/rules/sales/sale.ts: src/engine has rules after book: move the imported code to an earlier room, or pass it as an argument',
    'src/engine/rules/lots/take.ts imports src/engine/rules/lines/columns.ts: src/engine/rules has lines after lots: move the imported code to an earlier room, or pass it as an argument',
    'src/engine/events/keys.ts imports src/engine/events/event.ts imports src/engine/events/keys.ts: move what both need to a third file',
  ]);
});

test('a second file that imports a package meant for one file is detected', () => {
  const one = [`src/features/people/auth/google.ts`, `await import('arctic');`] as const;
  const other = [`src/features/people/auth/github.ts`, `await import('arctic');`] as const;
  expect(violations(new Map([one]))).toEqual([]);
  expect(violations(new Map([one, other]))).toHaveLength(1);
});

test.each([
  [
    'an import to the left',
    'src/features/ledger/books/books.ts',
    `import type { Lot } from '../../../engine/model.ts';`,
  ],
  ['an import in the same room', 'src/engine/replay.ts', `import { lots } from './lots.ts';`],
  [
    'a query in its file',
    'src/features/ledger/books/books.queries.ts',
    'export const one = (sql: Sql) => sql`select 1`;',
  ],
  ['an instant from a parameter', 'src/engine/rules/year/year.ts', 'const at = new Date(milliseconds);'],
  [
    'a word about SQL in a comment',
    'src/engine/rules/year/year.ts',
    '// never sql`select 1` nor Date.now()\nexport const a = 1;',
  ],
])('%s is allowed', (_what, path, text) => {
  expect(violations(new Map([[path, text]]))).toEqual([]);
});
