import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');

/** Words that are retired from identifiers, with the field's word for each. */
const retired = new Map(
  Object.entries({
    tell: 'report, state, raise',
    tells: 'reports, states, raises',
    told: 'reported, stated',
    untold: 'not stated',
    teller: 'source',
    tellers: 'sources',
    untell: 'unlink',
    rests: 'cents remainders',
    rested: 'converged',
    resting: 'convergence',
    quiet: 'not cost-sensitive',
    till: 'plain pool, until',
    shelf: 'lot store',
    lineup: 'lot queue',
    course: 'event cursor, lot history',
    trail: 'recent transactions',
    unreported: 'not on the form 1099',
    pulse: 'heartbeat',
    bell: 'subscriber',
    tower: 'subscribers',
    ringer: 'subscriber',
    ringers: 'subscribers',
  }),
);
const retiredNames = new Map(
  Object.entries({
    StandingLot: 'LotVersion',
    InCommon: 'LineTemplate',
    KeepOrder: 'SaveResponse',
    GoneBack: 'DryRunRollback',
    expectMany: 'planForBulk',
    past_lots: 'lot_versions',
    until_day: 'valid_to',
  }),
);

/** Names in the API that clients send. The settings take them from the contract. */
const publicNames: ReadonlySet<string> = new Set(['toldBroker', 'toldBrokerHow', 'tell_broker']);

test('no identifier has a retired word', () => {
  const found: string[] = [];
  for (const path of new Bun.Glob('{src,test,scripts,sql}/**/*.{ts,tsx,sql}').scanSync(root)) {
    if (path === 'test/words.test.ts') continue;
    for (const name of new Set(identifiersOf(readFileSync(join(root, path), 'utf8'), path.endsWith('.sql')))) {
      if (publicNames.has(name)) continue;
      const better = retiredNames.get(name) ?? wordsOf(name).flatMap((word) => retired.get(word) ?? [])[0];
      if (better !== undefined) found.push(`${path}: ${name} (${better})`);
    }
  }
  expect(found.sort()).toEqual([]);
});

test('words are detected in every naming style', () => {
  expect(wordsOf('readToldRows')).toEqual(['read', 'told', 'rows']);
  expect(wordsOf('told_of')).toEqual(['told', 'of']);
  expect(identifiersOf("const told = 'rests'; // shelf\n/* till */ `" + '$' + '{teller}`', false)).toEqual([
    'const',
    'told',
    'teller',
  ]);
});

/** Returns the names in code, including those inside template placeholders, but not those in comments and strings. */
function identifiersOf(text: string, isSql: boolean): string[] {
  const code = isSql
    ? text.replace(/--[^\n]*/g, '').replace(/'[^']*'/g, "''")
    : text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
        .replace(/`(?:[^`\\]|\\.)*`/g, (template) =>
          [...template.matchAll(/\$\{([^{}]*)\}/g)].map((m) => m[1]).join(' '),
        );
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
