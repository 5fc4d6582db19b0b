import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const engine = join(import.meta.dir, '../../src/engine');

test('the glossary at the top of model.ts has a line for every exported type of the engine, with its file', () => {
  const exported = [...new Bun.Glob('**/*.ts').scanSync(engine)].flatMap((path) =>
    exportedTypes(readFileSync(join(engine, path), 'utf8')).map((name) => `\`${name}\` (${path})`),
  );
  const entries = glossary().matchAll(/^ \* {2}- (`\w+` \([^)]+\)): /gm);
  const described = [...entries].map(([, entry = '']) => entry);
  expect(described.toSorted()).toEqual(exported.toSorted());
});

test('the glossary contains the nouns that are not types', () => {
  const nouns = ['row', 'draft', 'checkpoint', 'pool', 'lot store', 'lot queue', 'lot version', 'slice', 'fragment'];
  const more = ['cents remainder', 'line template', 'replacement', 'open loss', 'transit', 'working set', 'plain pool'];
  expect([...nouns, ...more].filter((noun) => !glossary().includes(`**${noun}**`))).toEqual([]);
});

/** Returns the first comment in model.ts. */
function glossary(): string {
  const text = readFileSync(join(engine, 'model.ts'), 'utf8');
  return text.slice(0, text.indexOf(' */\n'));
}

function exportedTypes(text: string): string[] {
  const declarations = text.matchAll(/^export (?:abstract )?(?:interface|class|type) (\w+)/gm);
  return [...declarations].map(([, name = '']) => name);
}
