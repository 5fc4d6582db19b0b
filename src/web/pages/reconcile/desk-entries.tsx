import type { ComponentChildren } from 'preact';
import { deskKindWords } from '../../../forms/reconciliation/words.ts';
import { to } from '../../api/page-url.ts';
import { isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { ShownEntry } from './desk.ts';

interface DeskEntriesProps {
  readonly year: number;
  readonly entries: readonly ShownEntry[];
}

/** Each row on a form with our entries for it, and each of our sales that is missing from the forms. */
export function DeskEntries({ year, entries }: DeskEntriesProps) {
  if (entries.length === 0) return <p>Nothing here.</p>;
  return (
    <ul class="desk">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Finding year={year} entry={entry} />
          <EntryTable year={year} entry={entry} />
        </li>
      ))}
    </ul>
  );
}

interface DeskEntryProps {
  readonly year: number;
  readonly entry: ShownEntry;
}

/** The difference and its reason. */
function Finding({ year, entry }: DeskEntryProps) {
  const { account, form, date, asset, kind, code, value, asks, reason } = entry;
  return (
    <div>
      <h3>
        {asset}, {day(date)}
      </h3>
      <p class={asks ? 'finding asks' : 'finding'}>
        <Icon name={pickIcon(entry)} /> {deskKindWords[kind]}
        {code !== '' && <span class="badge">code {[...code].join(', ')}</span>}
      </p>
      <p class="fine">
        {reason}
        {!isZero(value) && (
          <>
            {' '}
            <Money amount={value} /> difference.
          </>
        )}
      </p>
      <p class="fine">
        {account}, {form}
        {asks && (
          <>
            {' · '}
            <a href={to('/transactions', { year, asset })}>Fix the transactions</a>
          </>
        )}
      </p>
    </div>
  );
}

function pickIcon({ asks, kind }: ShownEntry): IconName {
  if (asks) return 'questions';
  return kind === 'matched' ? 'check' : 'forms';
}

interface DeskRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly box: string | null;
  readonly quantity: string | null;
  readonly proceeds: string;
  readonly basis: string | null;
}

/** The row on the form above our entries for it. */
function EntryTable({ year, entry: { asset, date, row, lines } }: DeskEntryProps) {
  const open = row !== null && <a href={to('/transactions', { open: row.transactionId })}>On the form</a>;
  const ours = lines.map((line): DeskRow => {
    const href = to('/forms/8949', { year, asset, line: line.disposalId });
    const acquired = line.acquired === 'UNKNOWN' ? ', date unknown' : ` acquired ${day(line.acquired)}`;
    const name = <a href={href}>Our lot{acquired}</a>;
    return { ...line, key: `${line.disposalId} ${line.lotId} ${line.quantity}`, name };
  });
  const rows = row === null ? ours : [{ ...row, key: 'form', name: open }, ...ours];
  return <Table label={`${asset}, ${day(date)}`} columns={columns} rows={rows} keyOf={({ key }) => key} />;
}

const columns: readonly ColumnSpec<DeskRow>[] = [
  { head: 'Source', cell: ({ name }) => name },
  { head: 'Box', cell: ({ box }) => box },
  { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'Proceeds', kind: 'money', cell: ({ proceeds }) => proceeds },
  { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis ?? <span class="muted">not reported</span> },
];
