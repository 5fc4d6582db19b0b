import { deskKindWords } from '../../../forms/reconciliation/words.ts';
import { to } from '../../api/page-url.ts';
import { isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
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

/** The row on the form above our entries for it. */
function EntryTable({ year, entry: { asset, date, row, lines } }: DeskEntryProps) {
  return (
    <StackedTable
      label={`${asset}, ${day(date)}`}
      columns={['Source', 'Box', { number: 'Quantity' }, { number: 'Proceeds' }, { number: 'Cost basis' }]}
      rows={[
        ...(row === null
          ? []
          : [
              {
                key: 'form',
                name: <a href={to('/transactions', { open: row.transactionId })}>On the form</a>,
                cells: [
                  row.box,
                  row.quantity === null ? null : <Quantity amount={row.quantity} />,
                  <Money amount={row.proceeds} />,
                  row.basis === null ? <span class="muted">not reported</span> : <Money amount={row.basis} />,
                ],
              },
            ]),
        ...lines.map((line) => ({
          key: `${line.disposalId} ${line.lotId} ${line.quantity}`,
          name: (
            <a href={to('/forms/8949', { year, asset, line: line.disposalId })}>
              {line.acquired === 'UNKNOWN' ? 'Our lot, date unknown' : `Our lot acquired ${day(line.acquired)}`}
            </a>
          ),
          cells: [
            line.box,
            <Quantity amount={line.quantity} />,
            <Money amount={line.proceeds} />,
            <Money amount={line.basis} />,
          ],
        })),
      ]}
    />
  );
}
