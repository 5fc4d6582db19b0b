import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { collectGarbage } from '../../base/garbage.ts';
import { sameSecurity } from '../../engine/events/same-assets.ts';
import type { ClassRules, Issue } from '../../engine/model.ts';
import type { FileAccount } from '../../formats/accounts/file-accounts.ts';
import type { DateOrderCode } from '../../formats/cells/times.ts';
import { holdContainer, listParts } from '../../formats/containers/container.ts';
import type { Draft, KnownAccount, Outcome, RowIssue, RowsSide } from '../../formats/format.ts';
import { formsByFormat } from '../../formats/information-returns.ts';
import type { Mapping } from '../../formats/mapping/mapping.ts';
import type { ReadingOptions } from '../../formats/opening.ts';
import { readFile } from '../../formats/read.ts';
import type { FileBalance } from '../../formats/running-balances.ts';
import { CommandError } from '../command.ts';
import { FileHistory, type HistoryFile } from './history.ts';
import { observeBytes, openInput } from './input.ts';
import { type Messages, namedRefusal } from './messages.ts';
import { buildRowIds } from './row-order.ts';
import { UnreadLines } from './unread-lines.ts';

/** The files to read and the assumptions about each. */
interface FileOptions {
  readonly files: readonly string[];
  readonly timeZone: string;
  readonly source: string | null;
  readonly account: string | null;
  readonly mapping: Mapping | null;
  readonly dateOrder: DateOrderCode | null;
  readonly side: RowsSide | null;
}

interface FilesRead {
  readonly history: FileHistory;
  /** SHA-256 of each file's bytes, in hexadecimal. */
  readonly digests: readonly string[];
  /** The unreadable lines, each of which is an open issue in its year. */
  readonly rejected: readonly Issue[];
  /** The balances that the files report for their accounts. */
  readonly balances: readonly FileBalance[];
}

/** Reads every file. Unreadable lines are reported and skipped. */
export async function readFiles(options: FileOptions, classes: ClassRules, messages: Messages): Promise<FilesRead> {
  const tables = await listTables(options.files);
  const history = new FileHistory(classes, tables.length > 1);
  const digests: string[] = [];
  const rejected = new Map<string, Issue>();
  const balances: FileBalance[] = [];
  const read: AccountOfFile[] = [];
  for (const table of tables) {
    const { path, part } = table;
    const named = path === '-' ? {} : { fileName: basename(path) };
    const reading = { ...readingOptions(options), ...named, ...part, knownAccounts: listFileAccounts(read) };
    const { digest, issues, stated, files } = await readInto(history, table, reading, messages);
    read.push(...files);
    digests.push(digest);
    balances.push(...stated);
    // The same line in two files is one issue.
    for (const issue of issues) if (!rejected.has(issue.id)) rejected.set(issue.id, issue);
  }
  history.settleTickers();
  for (const doubt of accountDoubts(read, history)) messages.say(doubt);
  return { history, digests, rejected: [...rejected.values()], balances };
}

interface TableOfFile {
  readonly path: string;
  /** Opens the whole file. */
  open(): ReadableStream<Uint8Array>;
  readonly part: Pick<ReadingOptions, 'part'>;
}

/** Lists the tables of the files. A ZIP or workbook can contain several. */
async function listTables(paths: readonly string[]): Promise<TableOfFile[]> {
  const tables: TableOfFile[] = [];
  for (const path of paths) {
    const { open, parts } = await namingFile(path, basename(path), () => openTables(path));
    tables.push(
      ...(parts === null ? [{ path, open, part: {} }] : parts.map((part) => ({ path, open, part: { part } }))),
    );
  }
  return tables;
}

/** Opens a file and lists its tables. Stdin and pipes can be read only once, so a ZIP in them is kept in memory. */
async function openTables(
  path: string,
): Promise<Pick<TableOfFile, 'open'> & { readonly parts: readonly string[] | null }> {
  if (isRegularFile(path)) return { open: () => openInput(path), parts: await listParts(openInput(path)) };
  const held = await holdContainer(openInput(path));
  if (!(held instanceof Blob)) return { open: () => held, parts: null };
  return { open: () => held.stream(), parts: await listParts(held.stream()) };
}

function isRegularFile(path: string): boolean {
  return path !== '-' && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}

/** Names the file in the error if it cannot be read. */
async function namingFile<Value>(path: string, name: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw isSystemError(error)
      ? new CommandError(`${path} cannot be read (${error.code}).`)
      : namedRefusal(name, error);
  }
}

async function readInto(
  history: FileHistory,
  { path, open }: TableOfFile,
  options: ReadingOptions,
  messages: Messages,
): Promise<{
  readonly digest: string;
  readonly issues: readonly Issue[];
  readonly stated: readonly FileBalance[];
  readonly files: readonly AccountOfFile[];
}> {
  const name = options.part === undefined ? basename(path) : `${basename(path)}/${options.part}`;
  const digest = createHash('sha256');
  const unread = new UnreadLines();
  let stated: readonly FileBalance[] = [];
  const files: AccountOfFile[] = [];
  const read = async (): Promise<void> => {
    const stream = observeBytes(open(), (bytes) => void digest.update(bytes));
    let file: HistoryFile | undefined;
    for await (const batch of readFile(stream, options)) {
      if (batch.kind === 'format') {
        file = history.begin(name, batch.format, batch.layout.id);
        unread.begin(batch.format.id, batch.header);
      } else if (file === undefined) throw new Error('Rows arrived before their format.');
      else if (batch.kind === 'end') {
        history.end(file, batch);
        stated = batch.balances;
        files.push({ file, accounts: batch.accounts });
      } else {
        keep(batch.outcomes, history, file, unread);
        if (batch.bytesRead >= shownBytesMin) messages.progress(progressText(path, name, batch.bytesRead));
      }
    }
  };
  await namingFile(path, name, read).finally(() => messages.wipe());
  unread.show(name, messages);
  collectGarbage();
  return { digest: digest.digest('hex'), issues: unread.issues(name), stated, files };
}

function listFileAccounts(read: readonly AccountOfFile[]): KnownAccount[] {
  return read.flatMap(({ file, accounts }) =>
    accounts.map(({ account, stated }) => ({ account, stated, format: file.format })),
  );
}

function keep(outcomes: readonly Outcome[], history: FileHistory, file: HistoryFile, unread: UnreadLines): void {
  for (const outcome of outcomes) {
    if (outcome.kind === 'read') {
      const sameSecurities = outcome.drafts.filter((draft) => history.exchangesItself(draft));
      for (const draft of sameSecurities) unread.add(sameSecurityIssue(draft));
      const drafts =
        sameSecurities.length === 0
          ? outcome.drafts
          : outcome.drafts.filter((draft) => !sameSecurities.includes(draft));
      history.add(drafts, file);
      unread.note(drafts);
    } else if (outcome.kind === 'rejected') unread.add(outcome.issue);
  }
}

function sameSecurityIssue(draft: Draft): RowIssue {
  return { line: draft.line, column: null, code: 'same_security', reason: sameSecurity(draft), cells: [] };
}

/** A smaller file is read before the user would notice any progress. */
const shownBytesMin = 8_000_000;

function progressText(path: string, name: string, bytes: number): string {
  const megabytes = (size: number): number => Math.round(size / 1_000_000);
  const whole = path === '-' ? '' : ` of ${megabytes(statSync(path).size)}`;
  return `Reading ${name}: ${megabytes(bytes)}${whole} MB`;
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function readingOptions({ timeZone, source: format, account, mapping, dateOrder, side }: FileOptions): ReadingOptions {
  const stated = Object.entries({ format, account, mapping, dateOrder, side }).filter(([, option]) => option !== null);
  return { timeZone, ...Object.fromEntries(stated) };
}

/** A file and the accounts in its rows. */
interface AccountOfFile {
  readonly file: HistoryFile;
  readonly accounts: readonly FileAccount[];
}

/** If there are fewer common days, the files are no evidence about the account. */
const rowsMin = 2;
/** The largest number of files that are compared with one another. */
const filesMax = 50;

/**
 * Finds broker files without an account name that may belong to two accounts, or to one. Uses the same rule as the
 * service (features/ledger/imports/accounts), and returns a sentence per account.
 */
function accountDoubts(files: readonly AccountOfFile[], history: FileHistory): string[] {
  const doubts = new Map<string, string>();
  const brokers = files.filter(({ file }) => formsByFormat.get(file.format) === '1099-B').slice(0, filesMax);
  for (const [at, later] of brokers.entries())
    for (const earlier of brokers.slice(0, at)) {
      if (earlier.file.format !== later.file.format || earlier.file.layout !== later.file.layout) continue;
      const [one, other] = [earlier, later].map(({ accounts }) => accounts.find(({ by }) => by === 'source'));
      const names = `${earlier.file.name} and ${later.file.name}`;
      if (one !== undefined && other !== undefined) {
        if (mayBeTwo(earlier.file, later.file, history))
          doubts.set(one.account, `${names} name no account, cover the same days and have different assets. ${remedy}`);
        continue;
      }
      const named = [earlier, later].flatMap(({ accounts }) => accounts.filter(({ stated }) => stated !== null))[0];
      const unnamed = one ?? other;
      if (
        named === undefined ||
        unnamed === undefined ||
        findSharedDays(earlier.file, later.file, history) === undefined
      )
        continue;
      const which = one === undefined ? later.file.name : earlier.file.name;
      doubts.set(
        `${unnamed.account} ${named.account}`,
        `${which} names no account and is treated as a different account than ${named.account}, although they cover the same days. ${remedy}`,
      );
    }
  return [...doubts.values()];
}

const remedy = 'Put the account in the file name, as in trades_account_1234.csv.';

function mayBeTwo(one: HistoryFile, other: HistoryFile, history: FileHistory): boolean {
  const days = findSharedDays(one, other, history);
  if (days === undefined) return false;
  const [own, others] = [collectRowsBetween(one, history, days), collectRowsBetween(other, history, days)];
  const fewer = Math.min(own.ids.size, others.ids.size);
  const common = [...own.ids].filter((id) => others.ids.has(id)).length;
  const lacks = (a: Rows, b: Rows): boolean => [...a.assets].some((asset) => !b.assets.has(asset));
  return fewer >= rowsMin && 2 * common <= fewer && lacks(own, others) && lacks(others, own);
}

interface Rows {
  readonly ids: ReadonlySet<string>;
  readonly assets: ReadonlySet<string>;
}

function collectRowsBetween(file: HistoryFile, history: FileHistory, [first, last]: readonly [number, number]): Rows {
  const [ids, assets] = [new Set<string>(), new Set<string>()];
  for (const [id, row] of buildRowIds(file, history)) {
    const on = history.getDay(row);
    const [, , asset] = JSON.parse(history.toRowMark(row).key) as readonly string[];
    if (on < first || on > last || asset === undefined || asset === '') continue;
    ids.add(id);
    assets.add(asset);
  }
  return { ids, assets };
}

/** Returns the days that both files cover, if there are more than one. */
function findSharedDays(
  one: HistoryFile,
  other: HistoryFile,
  history: FileHistory,
): readonly [number, number] | undefined {
  const [a, b] = [history.getDaySpan(one), history.getDaySpan(other)];
  const [first, last] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  return first < last ? [first, last] : undefined;
}
