import { normalizeHeader } from '../cells/header-columns.ts';
import type { Row } from '../format.ts';
import { type AccountName, readAccountName } from './account-names.ts';

/**
 * Patterns for exports that name their account outside the table: in lines above the header or between the rows, or in
 * the file name. One table covers all sources. Each pattern has a group `account`, or the groups `label` and `number`.
 */
interface AccountPatterns {
  /** Matched against the cells of a line, joined with tabs. */
  readonly lines?: readonly RegExp[];
  readonly files?: readonly RegExp[];
  /** Disables the common patterns, because such lines mean something else in this source. */
  readonly isWhole?: true;
  /** A line or column with the user's id. Most of the source's files have none. */
  readonly user?: RegExp | string;
}

/** A masked or whole number in a file name. */
const number = String.raw`[A-Z]{0,3}[Xx*#]*-?\d{3,}[A-Z\d]*`;

const patternsOfSources: Readonly<Record<string, AccountPatterns>> = {
  Schwab: {
    lines: [
      /^transactions\s+for account\s+(?<account>.+?)\s+as of\b/i,
      /^(?:realized gain\/loss|positions)\b.*?\bfor(?: account)?\s+(?<account>.+?)\s+as of\b/i,
      /^\S+ lot details for (?<account>\S.*?)\s+as of\b/i,
    ],
    files: [
      new RegExp(
        `^(?<account>.*?${number})[_ -](?:transactions|positions|balances|gainloss|lot|realized|1099|tax)`,
        'i',
      ),
    ],
  },
  'E*TRADE': { lines: [/^account activity for\s+(?<account>.+?)(?:\s+from\b.*)?$/i] },
  Fidelity: {
    lines: [/^(?<account>(?:[^\t]*?[\s:(-])?[A-Z]\d{8}\)?)$/],
    files: [
      new RegExp(
        `^(?:history|activity|positions?|closed[_ ]?lots?|realized[^\\d]*?)_for_account_(?<account>${number})`,
        'i',
      ),
    ],
  },
  // `Account,BTC Wallet` names a coin. A user has only one account.
  Coinbase: { isWhole: true, user: /^user\t(?:[^\t]*\t)?(?<user>[0-9a-f][0-9a-f-]{22,34}[0-9a-f])$/i },
  KuCoin: { user: 'UID' },
  Binance: { user: 'User_ID' },
  Vanguard: { lines: [/^(?<account>[^\t]+?\s*[—–-]\s*\d{8})\*?$/] },
  tastytrade: { files: [/^tastytrade_transactions_history_x?(?<account>[0-9A-Z]{8})_/i] },
  'Interactive Brokers': { files: [/^(?<account>[UF]\d{6,9})(?=[._\s-])/] },
  Firstrade: { files: [/^FT_CSV_(?<account>\d{6,9})/i] },
  Chase: { files: [/^chase(?<account>\d{4})_activity/i] },
  'TD Ameritrade': { lines: [/^account statement for (?<number>\d{6,12})\w*(?: \((?<label>[^)]+)\))?/i] },
};

/**
 * Lines that any source may contain: `For Account:,#####1234`, `Account Number: 1234`, `Statement for account:
 * Brokerage 12`.
 */
const anySource: AccountPatterns = {
  lines: [
    /^(?:(?:statement|history|activity|transactions|report) )?(?:for )?account(?: (?:name|nickname|title|type|registration))?\s*[:\t][\s:\t]*(?<account>[^\t]+)/i,
    /^(?:for )?(?:brokerage )?account (?:number|no\.?|#|id)\s*[:\t#][\s:\t]*(?<number>[^\t]+)/i,
    /^(?:(?:transactions|activity|history|statement)\s+)for account\s+(?<account>[^\t]+?)(?:\s+(?:as of|from|for the|between)\b.*)?$/i,
  ],
  files: [new RegExp(`(?:^|[_\\s-])(?:account|acct)[_\\s-]+(?<account>${number})(?![\\dA-Z])`, 'i')],
};

/** Returns the account named above the header, or else in the file name. Undefined if neither names one. */
export function accountOfFile(
  source: string,
  preamble: readonly Row[],
  fileName: string | undefined,
): { readonly name: AccountName; readonly by: 'title' | 'file_name' } | undefined {
  const inLines = preamble.map((row) => accountInLine(source, row)).filter((name) => name !== undefined);
  // The label and the number may be on separate lines.
  const [first, ...others] = inLines;
  if (first !== undefined) {
    const label = first.label || (others.find((name) => name.label !== '')?.label ?? '');
    const digits = first.digits || (others.find((name) => name.digits !== '')?.digits ?? '');
    return { name: { label, digits }, by: 'title' };
  }
  const name = fileName === undefined ? undefined : accountInFileName(source, fileName);
  return name === undefined ? undefined : { name, by: 'file_name' };
}

/** The rows read while opening the file. */
export interface AccountFileHead {
  readonly preamble: readonly Row[];
  readonly header: Row;
  readonly firstRows: readonly Row[];
}

/** Returns the last characters of the user's id. Undefined if the file does not contain exactly one id. */
export function userOfFile(source: string, { preamble, header, firstRows }: AccountFileHead): string | undefined {
  const user = patternsOfSources[source]?.user;
  if (user === undefined) return undefined;
  if (typeof user === 'string') {
    const position = header.cells.findIndex((cell) => normalizeHeader(cell) === normalizeHeader(user));
    const ids = new Set(firstRows.map(({ cells }) => cells[position]?.trim() ?? '').filter((id) => id !== ''));
    return ids.size === 1 ? [...ids][0]?.slice(-userDigits) : undefined;
  }
  const ids = preamble.map(({ cells }) => user.exec(trimFilledCells(cells).join('\t'))?.groups?.user);
  return ids.find((id) => id !== undefined)?.slice(-userDigits);
}

const userDigits = 4;

/** Returns the account named in a line outside the table, such as a title above the header or a section heading. */
export function accountInLine(source: string, { cells }: Row): AccountName | undefined {
  let filled = 0;
  for (const cell of cells) if (cell.trim() !== '') filled += 1;
  // A line with more cells is a table row.
  if (filled === 0 || filled > 3) return undefined;
  const text = trimFilledCells(cells).join('\t');
  return text.length > charactersMax ? undefined : firstName(getAccountPatterns(source, 'lines'), text);
}

function trimFilledCells(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.replace(/^\uFEFF/, '').trim()).filter((cell) => cell !== '');
}

/** A longer line is not a title, so the patterns run only on short texts. */
const charactersMax = 300;

/** The name of a table in a ZIP or workbook counts before those of its folder and its file. */
function accountInFileName(source: string, fileName: string): AccountName | undefined {
  const patterns = getAccountPatterns(source, 'files');
  for (const part of fileName.split(/[/\\]/).reverse()) {
    const base = part.replace(/\.[A-Za-z]{2,4}$/, '');
    const name = firstName(patterns, base.replaceAll(yearOrDay, ''));
    if (name !== undefined) return { ...name, label: name.label.replace(/[_\s]+/g, ' ').trim() };
  }
  return undefined;
}

/** A year or a day in a file name is the period of the file, never its account. */
const yearOrDay =
  /(?<![A-Za-z\d*#]|[Xx*#]-)(?:19|20)\d{2}(?:[-_]?(?:0[1-9]|1[0-2])[-_]?(?:0[1-9]|[12]\d|3[01]))?(?![A-Za-z\d])/g;

function getAccountPatterns(source: string, where: 'lines' | 'files'): readonly RegExp[] {
  return (allPatterns.get(source) ?? anySource)[where] ?? [];
}

const allPatterns: ReadonlyMap<string, AccountPatterns> = new Map(
  Object.entries(patternsOfSources).map(([source, own]) => {
    const others = own.isWhole === true ? {} : anySource;
    const joinLists = (where: 'lines' | 'files') => [...(own[where] ?? []), ...(others[where] ?? [])];
    return [source, { lines: joinLists('lines'), files: joinLists('files') }];
  }),
);

function firstName(patterns: readonly RegExp[], text: string): AccountName | undefined {
  for (const pattern of patterns) {
    const { account, label, number: digits } = pattern.exec(text)?.groups ?? {};
    const name = readAccountName(account ?? digits ?? '');
    if (name === undefined || isCashOrMargin.test(name.label)) continue;
    if (account !== undefined) return name;
    if (name.digits !== '') return { label: label ?? '', digits: name.digits };
  }
  return undefined;
}

/** Account types that do not identify an account. */
const isCashOrMargin = /^(?:cash|margin)$/i;
