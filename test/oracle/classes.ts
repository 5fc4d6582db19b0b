import type { Rules, Transaction } from '../../src/engine/model.ts';
import { type ClassEvidence, namedClass } from './names.ts';

/** Derives an asset's class from the law and exchange listings when rows state no class or a wrong one. */
export function withClasses(
  transactions: readonly Transaction[],
  rules: Pick<Rules, 'accounts' | 'assets'> = { accounts: {} },
  { states = () => true, dealsIn = () => null }: Partial<Pick<ClassEvidence, 'states' | 'dealsIn'>> = {},
): ClassifiedHistory {
  const evidence: ClassEvidence = { ...rules, rows: transactions, states, dealsIn };
  const unsaid = new Set<string>();
  const rows = transactions.map((row) => {
    const { assetClass, isSaid } = listedClass(row) ?? namedClass(row, evidence);
    if (!isSaid) unsaid.add(`${row.account} ${row.asset}`);
    return { ...row, assetClass };
  });
  return { rows, unsaid };
}

export interface ClassifiedHistory {
  readonly rows: Transaction[];
  /** Accounts and assets whose class nothing indicates. */
  readonly unsaid: ReadonlySet<string>;
}

/**
 * Returns the class that the law or a listing gives an asset. Listed options on a broad-based index are nonequity
 * options, even if a file calls them something else (IRC 1256(b)(1)(C), (g)(3)).
 */
function listedClass({ asset, type }: Transaction): ReturnType<typeof namedClass> | null {
  if (asset.startsWith('/')) return { assetClass: 'future', isSaid: true };
  if (isBillNumber(asset)) return { assetClass: 'treasury_bill', isSaid: true };
  if (isDebtNumber(asset)) return { assetClass: 'bond', isSaid: true };
  const [, root] = /^(\S+) \d{4}-\d{2}-\d{2} [CP] [\d.]+$/.exec(asset) ?? [];
  if (root === undefined && !/_to_/.test(type)) return null;
  return { assetClass: indexes.has(root ?? '') ? 'section_1256' : 'option', isSaid: true };
}

/**
 * Recognizes Treasury bills: their CUSIPs begin with 912796 or 912797, followed by two characters for the issue and a
 * check digit (31 CFR 356, 12 CFR).
 */
function isBillNumber(asset: string): boolean {
  return asset.length === 9 && (asset.startsWith('912796') || asset.startsWith('912797'));
}

/** Recognizes the CUSIP of a debt: its issue number contains a letter, while that of a stock is two digits. */
function isDebtNumber(asset: string): boolean {
  return /^\d{3}[A-Z\d]{5}\d$/.test(asset) && /[A-Z]/.test(asset.slice(6, 8));
}

/**
 * S&P 500 and 100, Nasdaq-100, Russell 2000, Dow Jones, MSCI EAFE and volatility indexes: Cboe and Nasdaq list their
 * options as broad-based and cash-settled.
 */
const indexes: ReadonlySet<string> = new Set(
  'SPX SPXW XSP OEX XEO NDX NDXP XND RUT RUTW MRUT DJX MXEA VIX VIXW'.split(' '),
);
