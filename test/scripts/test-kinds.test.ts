import { expect, test } from 'bun:test';
import { type TestKind, testKind } from '../support/test-kinds.ts';

const rest = [
  ['test/support/app.ts', `import { testDatabase } from './database.ts';`],
  ['test/support/database.ts', `import { startServer } from '../../src/db/postgres-server.ts';`],
  ['test/support/browser.ts', `import { chromium } from 'playwright-core';`],
  ['src/db/postgres-server.ts', `import { x } from './circle.ts';`],
  ['src/db/circle.ts', `import { y } from './postgres-server.ts';`],
  ['src/db/connection.ts', `import postgres from 'postgres';`],
  ['src/engine/model.ts', ''],
  ['src/forms/draw.ts', `new Worker(new URL('./draw-worker.ts', import.meta.url));`],
  ['src/forms/draw-worker.ts', `export * from '../db/circle.ts';`],
] as const;

const cases: readonly (readonly [what: string, text: string, kind: TestKind])[] = [
  ['a test of the engine', `import { lots } from '../../../src/engine/model.ts';`, 'unit'],
  ['a test that imports connections but opens none', `import { open } from '../../../src/db/connection.ts';`, 'unit'],
  ['a test that uses a database', `import { testDatabase } from '../../support/database.ts';`, 'database'],
  ['a test that uses one through another module', `import { testApp } from '../../support/app.ts';`, 'database'],
  ['a test that opens a browser', `import { openBrowser } from '../../support/browser.ts';`, 'browser'],
  ['a test that imports it late', `await import('../../support/app.ts');`, 'database'],
  ['a test whose Worker uses it', `import { draw } from '../../../src/forms/draw.ts';`, 'database'],
];

test.each(cases)('%s', (_what, text, kind) => {
  const path = 'test/any/folder/any.test.ts';
  expect(testKind(path, new Map([...rest, [path, text]]))).toBe(kind);
});
