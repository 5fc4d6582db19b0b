import type { Issue } from '../../engine/model.ts';
import { proposedIssue } from '../../features/ledger/transactions/row-issues.ts';
import { idOfRank } from './book-ledger.ts';
import type { FileHistory, HistoryFile } from './history.ts';
import { buildRowIds, repeatedRank } from './row-order.ts';

/** Rows that conflict with a row in an earlier file on the command line. As in the service, the earlier row counts. */
interface ProposedRows {
  /** All copies of the conflicting rows. */
  readonly rows: ReadonlySet<number>;
  readonly pairs: readonly ProposedPair[];
}

interface ProposedPair {
  readonly row: number;
  readonly id: string;
  /** The copies of the row that counts. */
  readonly stored: readonly number[];
}

/** Uses the same rule as `holdProposed`, file by file in the order of the arguments. */
export function findProposedRows(history: FileHistory): ProposedRows {
  const stored = new Map<string, number[]>();
  const heldIds = new Set<string>();
  const rows = new Set<number>();
  const pairs: ProposedPair[] = [];
  const read: ReadFile[] = [];
  if (history.files.some((file, at) => history.files.slice(at + 1).some((other) => isSameKind(file, other))))
    for (const file of history.files) {
      const ids = buildRowIds(file, history);
      const entry = { file, ids, days: history.getDaySpan(file) };
      const proposedPairs = findProposedPairs(entry, read, stored, heldIds, history);
      pairs.push(...proposedPairs);
      for (const { id } of proposedPairs) heldIds.add(id);
      for (const [id, row] of ids) {
        if (heldIds.has(id)) rows.add(row);
        else stored.set(id, [...(stored.get(id) ?? []), row]);
      }
      read.push(entry);
    }
  return { rows, pairs };
}

/** Returns an open issue for each proposed row, in the row's year. */
export function proposedIssues({ pairs }: ProposedRows, ranks: Int32Array, history: FileHistory): Issue[] {
  return pairs.flatMap(({ row, id, stored }) => {
    const counted = stored.find((copy) => ranks[copy] !== repeatedRank);
    if (counted === undefined) return [];
    const where = `${history.findFileOfRow(row).name}, line ${history.getLine(row)}`;
    const before = history.transactionAt(counted, idOfRank(ranks[counted] as number));
    return [proposedIssue(id, history.transactionAt(row, ''), before, where)];
  });
}

interface ReadFile {
  readonly file: HistoryFile;
  readonly ids: ReadonlyMap<string, number>;
  readonly days: readonly [first: number, last: number];
}

function findProposedPairs(
  { file, ids, days }: ReadFile,
  read: readonly ReadFile[],
  stored: ReadonlyMap<string, readonly number[]>,
  heldIds: ReadonlySet<string>,
  history: FileHistory,
): ProposedPair[] {
  const earlier = read.filter((one) => isSameKind(one.file, file) && one.days[0] <= days[1] && one.days[1] >= days[0]);
  const fresh = [...ids].filter(([id]) => !stored.has(id) && !heldIds.has(id));
  if (earlier.length === 0 || fresh.length === 0) return [];
  const unmatched = new Map<string, Map<string, EarlierFile[]>>();
  for (const one of earlier) {
    const isSameDays = days[0] < days[1] && one.days[0] === days[0] && one.days[1] === days[1];
    const shared = [...one.ids.keys()].filter((id) => ids.has(id) && !heldIds.has(id)).length;
    const source = { isAgain: isSameDays || shared > 0, shared, differing: 0 };
    for (const [id, row] of one.ids) {
      if (ids.has(id) || !stored.has(id)) continue;
      const { key } = history.toRowMark(row);
      const alike = unmatched.get(key) ?? new Map<string, EarlierFile[]>();
      unmatched.set(key, alike.set(id, [...(alike.get(id) ?? []), source]));
    }
  }
  const firstAt = Math.min(...[...ids.values()].map((row) => history.toRowMark(row).at ?? Number.POSITIVE_INFINITY));
  const byKey = Map.groupBy(fresh, ([, row]) => history.toRowMark(row).key);
  const candidates = [...byKey].flatMap(([key, rows]): Candidate[] => {
    const [[id, row] = ['', 0], ...others] = rows;
    const [[other, sources] = ['', []], ...rivals] = unmatched.get(key) ?? [];
    const copies = stored.get(other) ?? [];
    if (others.length > 0 || rivals.length > 0 || copies.length === 0 || !history.toRowMark(row).isProposable)
      return [];
    const { isNamed, at } = history.toRowMark(copies[0] as number);
    const isCovered = at === null || history.getDay(copies[0] as number) > days[0] || firstAt <= at;
    const again = isCovered ? sources.filter(({ isAgain }) => isAgain) : [];
    if (!isNamed) for (const source of again) source.differing += 1;
    return [{ pair: { row, id, stored: copies }, isNamed, again }];
  });
  return candidates.filter(({ isNamed, again }) => isNamed || again.some(isMostlySame)).map(({ pair }) => pair);
}

/** The number of rows in an earlier file that are also in this one, and of those that differ. */
interface EarlierFile {
  readonly isAgain: boolean;
  readonly shared: number;
  differing: number;
}

interface Candidate {
  readonly pair: ProposedPair;
  /** Whether both rows have the same source id. */
  readonly isNamed: boolean;
  /** The earlier files with the row that this file may correct. */
  readonly again: readonly EarlierFile[];
}

function isMostlySame({ shared, differing }: EarlierFile): boolean {
  return shared > 0 && shared >= differing;
}

function isSameKind(one: HistoryFile, other: HistoryFile): boolean {
  return one.format === other.format && one.layout === other.layout;
}
