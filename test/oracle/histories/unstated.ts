import fc from 'fast-check';
import { resolveAssetClass } from '../../../src/engine/events/classes.ts';
import type { AssetClass, Rules, Transaction } from '../../../src/engine/model.ts';
import { findTickers } from '../../../src/features/ledger/transactions/tickers.ts';
import { withClasses } from '../classes.ts';
import { type Drawn, histories } from './generate.ts';

/**
 * Histories in which some rows do not state the class of their asset. The account, the source, the account's other rows
 * or a list of names indicate it, or nothing does. Some names belong to both a coin and a security.
 */
export interface Unstated {
  /** The rows that do not state their class. */
  readonly rows: ReadonlySet<string>;
  /** By account: the class that its source trades in, if known. */
  readonly sources: Readonly<Record<string, AssetClass>>;
}

export function unstatedHistories(stepsMax: number): fc.Arbitrary<Drawn & { readonly unstated: Unstated }> {
  return fc
    .record({
      drawn: histories(stepsMax),
      states: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
      names: fc.subarray(Object.keys(sharedNames)),
      sources: fc.record(
        { A1: fc.constantFrom<AssetClass>('crypto', 'stock'), A2: fc.constantFrom<AssetClass>('crypto', 'stock') },
        { requiredKeys: [] },
      ),
      hasSources: fc.nat(3),
      words: fc.constantFrom<Partial<Rules>>(
        {},
        {},
        { assets: { COMP: { assetClass: 'stock' } } },
        { assets: { LINK: { accounts: { A1: 'crypto', A2: 'stock' } }, GRT: { assetClass: 'fund' } } },
      ),
      accountClass: fc.constantFrom<AssetClass | null>(null, null, null, 'crypto', 'stock'),
    })
    .map(({ drawn: { history, rules }, states, names, sources, hasSources, words, accountClass }) => {
      const named = history.map((row) => renamed(row, names));
      const all = states.every((one) => one > 0);
      // A fund is indicated by its rows: one name cannot be an unaveraged stock in some rows and a fund in others.
      const silent = named.filter(
        ({ assetClass }, at) => assetClass !== 'fund' && (all || (states[at % states.length] ?? 0) > 0),
      );
      const rest = new Set(silent.map(({ id }) => id));
      const [a1, ...others] = Object.entries(rules.accounts);
      const accounts =
        accountClass === null || a1 === undefined
          ? rules.accounts
          : Object.fromEntries([[a1[0], { ...a1[1], assetClass: accountClass }], ...others]);
      const unstated = { rows: rest, sources: hasSources === 0 ? sources : {} };
      return { history: named, rules: { ...rules, ...words, accounts }, unstated };
    });
}

const sharedNames: Readonly<Record<string, string>> = { BBB: 'COMP', FND: 'GRT', ETH: 'LINK', PUNK: 'ICP' };

function renamed(row: Transaction, names: readonly string[]): Transaction {
  const of = (asset: string): string => (names.includes(asset) ? (sharedNames[asset] ?? asset) : asset);
  const { asset, receivedAsset, feeAsset, underlying } = row;
  return {
    ...row,
    asset: of(asset),
    receivedAsset: of(receivedAsset),
    feeAsset: of(feeAsset),
    underlying: of(underlying),
  };
}

/**
 * Adds the classes as the service derives them: each row by its own evidence, then ambiguous names by the other rows.
 */
export function classedForEngine({ history, rules, unstated }: Drawn): Drawn {
  if (unstated === undefined) return { history, rules };
  const rows = history.map((row) => ({
    row,
    open: { ...row, assetClass: unstated.rows.has(row.id) ? null : row.assetClass },
    sourceClass: unstated.rows.has(row.id) ? (unstated.sources[row.account] ?? null) : null,
  }));
  const uses = rows.map(({ open, sourceClass }) => ({
    ...open,
    sourceClass,
    resolvedClass: resolveAssetClass(open, rules, sourceClass),
  }));
  const tickers = findTickers(uses, rules);
  const read: Rules = tickers === undefined ? rules : { ...rules, tickers };
  const classed = rows.map(({ row, open, sourceClass }) => ({
    ...row,
    assetClass: resolveAssetClass(open, read, sourceClass),
  }));
  return { history: classed, rules: read };
}

/** Adds the classes derived from the rules. */
export function classedForOracle({ history, rules, unstated }: Drawn): ReturnType<typeof withClasses> {
  if (unstated === undefined) return { rows: [...history], unsaid: new Set() };
  const isSilent = ({ id }: Transaction): boolean => unstated.rows.has(id);
  return withClasses(history, rules, {
    states: (row) => !isSilent(row),
    dealsIn: (row) => (isSilent(row) ? (unstated.sources[row.account] ?? null) : null),
  });
}
