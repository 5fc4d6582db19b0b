import { type Day, formatDay } from '../../base/day.ts';
import { type Cents, formatCents, formatQuantity, type Quantity } from '../../base/decimal.ts';
import type { Issue } from '../../engine/model.ts';
import { buildFormDesk, type DeskBooks, type DeskEntry } from './desk.ts';
import { findBookName } from './matches.ts';

/**
 * Returns 1099 check findings that span several books. Each is one issue per account and form, or per name or total, so
 * that the year's forms are drafts until it is resolved. The books themselves raise all other issues.
 */
export function formIssues(books: DeskBooks): Issue[] {
  if (books.reported.length === 0) return [];
  const { entries } = buildFormDesk(books);
  // If a form row's sale is in another account, the books already raise an issue about it, so the sale is not also
  // reported as missing.
  const elsewhere = Map.groupBy(
    entries.flatMap((entry) => unitsElsewhere(entry, books)),
    (text) => text,
  );
  const open = entries.filter(
    (entry) => entry.kind !== 'not_on_form' || elsewhere.get(unitsText(entry))?.pop() === undefined,
  );
  const forms = Map.groupBy(open, ({ account, form }) => JSON.stringify([account, form]));
  return [
    ...nameIssues(entries, books),
    ...[...forms.values()].flatMap((formEntries) => issuesOfForm(formEntries, books.year)),
  ];
}

/** Returns the units of a form row whose sale is elsewhere: all units, or those that Lotbook's lines do not explain. */
function unitsElsewhere(entry: DeskEntry, { rules }: DeskBooks): string[] {
  const { row, parts, kind } = entry;
  const asset = row === null ? entry.asset : (findBookName(row, rules)?.asset ?? entry.asset);
  if (kind === 'elsewhere') return [unitsText({ ...entry, asset })];
  const rest = parts.reduce((left, { units }) => left - units, row?.quantity ?? 0n);
  return parts.length > 0 && rest > 0n ? [`${formatQuantity(rest as Quantity)} ${asset}`] : [];
}

/** Returns one issue per guessed name. */
function nameIssues(entries: readonly DeskEntry[], { rules }: DeskBooks): Issue[] {
  const guessed = entries.flatMap((entry) => {
    const name =
      entry.row === null || entry.kind === 'replaced' || entry.kind === 'supplement'
        ? undefined
        : findBookName(entry.row, rules);
    return name?.by === 'sale' ? [{ entry, name }] : [];
  });
  const names = Map.groupBy(guessed, ({ entry, name }) => JSON.stringify([entry.account, entry.asset, name.asset]));
  return [...names.values()].map((namedEntries) => {
    const rows = namedEntries.map(({ entry }) => entry);
    const [{ entry, name }] = namedEntries as [(typeof namedEntries)[number]];
    const { account, asset } = entry;
    return buildFormIssue(
      'name',
      rows,
      `Form 1099 for ${account} lists ${asset}, a name that your transactions do not use. Its units and proceeds match your sales of ` +
        `${name.asset}, so each sale counts once, as ${name.asset}. If these are two assets, set formNameOf of ${asset} to ${asset} in the ` +
        'asset settings, or add its transactions.',
    );
  });
}

function issuesOfForm(entries: readonly DeskEntry[], year: number): Issue[] {
  const of = (...kinds: readonly DeskEntry['kind'][]): DeskEntry[] =>
    entries.filter(({ kind }) => kinds.includes(kind));
  const [first] = entries as [DeskEntry];
  const { account, form } = first;
  const issues: Issue[] = [];
  const extra = of('not_in_books');
  if (extra.length > 0) {
    const detail =
      `Form ${form} for ${account} shows ${describeSales(extra)} in ${year} that your transactions do not include. They are counted as the form shows ` +
      'them. If your transactions include them under another name, day or account, they are counted twice: correct or remove one of the two.';
    issues.push(buildFormIssue('not_in_books', extra, detail));
  }
  const missing = of('fewer_units', 'not_on_form');
  if (missing.length > 0) {
    const detail =
      `Your transactions include ${describeSales(missing)} in ${account} in ${year} that Form ${form} does not show, in whole or in part. They ` +
      'are counted. If they did not happen, or the form lists them under another name, correct them. If you have not imported all rows of the form, import the rest.';
    issues.push(buildFormIssue('not_on_form', missing, detail));
  }
  for (const entry of of('total')) {
    const { asset, shown, ours } = entry;
    const detail =
      `Form ${form} for ${account} shows a total of $${formatCents(shown?.proceeds ?? none)} for sales of ${asset} in ${year}. Your ` +
      `transactions contain $${formatCents(ours?.proceeds ?? none)} of sales that are not on any row of the form. Your transactions are used.`;
    issues.push(buildFormIssue('total', [entry], detail));
  }
  return issues;
}

const none = 0n as Cents;

function buildFormIssue(what: string, entries: readonly DeskEntry[], detail: string): Issue {
  const sorted = entries.toSorted(compareEntries);
  const [first] = sorted as [DeskEntry];
  const { id, account, form, asset } = first;
  const on = dayOf(first);
  return {
    kind: 'issue',
    causedOn: on,
    id: `${id}/0/unreconciled/${account}/${form}/${what}`,
    issue: 'unreconciled',
    on,
    asset,
    account,
    transactions: sorted.slice(0, namedMax).map((entry) => entry.id),
    dollars: entries.reduce((sum, entry) => sum + computeStake(entry), 0n) as Cents,
    detail,
  };
}

/** Returns the entry's day in the checked year. A short sale belongs to the year in which it is closed. */
function dayOf({ row, parts, on }: DeskEntry): Day {
  return row?.on ?? parts[0]?.line.disposal.on ?? on;
}

/** The maximum number of rows that an issue mentions. The 1099 check lists them all. */
const namedMax = 20;

/**
 * Returns how much the result may be wrong: the sale's proceeds, or its cost if that is higher. For a total, the
 * difference.
 */
function computeStake({ kind, value, shown, ours }: DeskEntry): bigint {
  if (kind === 'total') return value;
  const [proceeds, basis] = [shown?.proceeds ?? ours?.proceeds ?? none, shown?.basis ?? ours?.basis ?? none];
  return proceeds > basis ? proceeds : basis;
}

/** Returns `2 sales for $1,500.00 (the first: 10 ABC on 2024-03-01)`. */
function describeSales(entries: readonly DeskEntry[]): string {
  const [first] = entries.toSorted(compareEntries) as [DeskEntry];
  const proceeds = entries.reduce((sum, { shown, ours }) => sum + (shown?.proceeds ?? ours?.proceeds ?? none), 0n);
  const example = `${unitsText(first)} on ${formatDay(first.on)}`;
  const brought = `for $${formatCents(proceeds as Cents)}`;
  return entries.length === 1
    ? `a sale of ${example} ${brought}`
    : `${entries.length} sales ${brought} (the first: ${example})`;
}

/** Returns `10 ABC`. */
function unitsText({ row, parts, asset }: DeskEntry): string {
  const units = row?.quantity ?? (parts.reduce((sum, part) => sum + part.units, 0n) as Quantity);
  return `${formatQuantity(units)} ${asset}`;
}

function compareEntries(a: DeskEntry, b: DeskEntry): number {
  return a.on - b.on || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
