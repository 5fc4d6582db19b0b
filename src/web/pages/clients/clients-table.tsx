import { useState } from 'preact/hooks';
import { useBooksColor } from '../../api/books.ts';
import { to } from '../../api/page-url.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { reviewWords, roleWords } from '../../format/roles.ts';
import { Money } from '../../parts/amount.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { InviteForm } from '../../parts/invitations/invite-form.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ClientForm } from './client-form.tsx';
import type { ClientStatusRow } from './client-rows.ts';
import { DeleteClient, LeaveClient } from './delete-client.tsx';

interface ClientsTableProps {
  readonly clients: readonly ClientStatusRow[];
  readonly year: number | undefined;
}

type RowAction = 'change' | 'delete' | 'leave' | 'handover' | 'ownership';

/**
 * A table with one client per row. The name and numbers link into the client's books. Selected clients can be
 * calculated and downloaded together.
 */
export function ClientsTable({ clients, year }: ClientsTableProps) {
  const [left, setLeft] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<{ readonly client: ClientStatusRow; readonly act: RowAction } | null>(null);
  const close = () => setOpened(null);
  const chosen = clients.map(({ id }) => id).filter((id) => !left.includes(id));
  const choose = (id: string, isChosen: boolean) =>
    setLeft(isChosen ? left.filter((each) => each !== id) : [...left, id]);
  return (
    <section class="card" aria-labelledby="clients-table">
      <h2 id="clients-table">{year === undefined ? 'Every client' : `Every client in ${year}`}</h2>
      {year !== undefined && <BulkBar year={year} chosen={chosen} />}
      <StackedTable
        label="Every client"
        columns={[
          'Client',
          { number: year === undefined ? 'Gain' : `${year} gain` },
          'Review',
          { number: 'To review' },
          'Report',
          { unseen: 'Change' },
        ]}
        rows={clients.map((client) => {
          const line = client.years.find((each) => each.year === year);
          const isChosen = chosen.includes(client.id);
          return {
            key: client.id,
            name: <ClientName {...{ client, line, isChosen }} onChoose={(isChosen) => choose(client.id, isChosen)} />,
            cells: [
              <YearGain line={line} />,
              line === undefined ? null : <ReviewState line={line} />,
              <OpenQuestions client={client} />,
              <YearReport client={client} line={line} />,
              <RowActions name={client.name} role={client.role} onAct={(act) => setOpened({ client, act })} />,
            ],
          };
        })}
      />
      {opened?.act === 'change' && <ClientForm client={opened.client} onClose={close} />}
      {opened?.act === 'delete' && <DeleteClient client={opened.client} onClose={close} />}
      {opened?.act === 'leave' && <LeaveClient client={opened.client} onClose={close} />}
      {(opened?.act === 'handover' || opened?.act === 'ownership') && (
        <InviteForm purpose={{ kind: opened.act, client: opened.client }} onClose={close} />
      )}
    </section>
  );
}

type ClientYearLine = ClientStatusRow['years'][number];

interface ClientNameProps {
  readonly client: ClientStatusRow;
  /** Undefined if the client has no activity in the year. */
  readonly line: ClientYearLine | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function ClientName({ client: { id, name, role, email, transactions }, line, isChosen, onChoose }: ClientNameProps) {
  const color = useBooksColor(id);
  return (
    <div class="chosen-name">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <div>
        <span class="books-mark" data-books={color} aria-hidden="true" />
        <a href={to('/overview', { client: id, year: line?.year })}>{name}</a>
        <p class="fine">
          {role !== 'manager' && email !== undefined && email !== name && <>{email}, </>}
          {role !== 'manager' && <>your role: {roleWords[role].name.toLowerCase()}, </>}
          {formatCount(transactions, 'transaction')}
        </p>
      </div>
    </div>
  );
}

function YearGain({ line }: Pick<ClientNameProps, 'line'>) {
  if (line === undefined) return <span class="muted">no activity</span>;
  return (
    <>
      <Money amount={line.gain} signed />
      {line.locked && (
        <div class="fine">
          <Icon name="lock" /> locked
        </div>
      )}
    </>
  );
}

function OpenQuestions({ client: { id, issues } }: Pick<ClientNameProps, 'client'>) {
  if (issues.count === 0) return <span class="muted">none</span>;
  return (
    <>
      <a href={to('/review', { client: id, years: 'all' })}>{count(issues.count)} to review</a>
      <div class="fine">
        <Money amount={issues.dollars} /> affected
      </div>
    </>
  );
}

/** The year's newest report. */
function YearReport({ client: { id }, line }: Pick<ClientNameProps, 'client' | 'line'>) {
  const report = line?.report ?? null;
  if (line === undefined || report === null) return <span class="muted">none</span>;
  return (
    <a href={to('/forms', { client: id, year: line.year })}>{report.stale ? 'Out of date' : day(report.createdAt)}</a>
  );
}

function ReviewState({ line: { review } }: { readonly line: ClientYearLine }) {
  return (
    <div class="sign-off-state">
      {reviewWords[review.state]}
      {review.changed && <div class="fine">changed since</div>}
      {review.openNotes > 0 && <div class="fine">{formatCount(review.openNotes, 'open note')}</div>}
    </div>
  );
}

interface RowActionsProps extends Pick<ClientStatusRow, 'name' | 'role'> {
  readonly onAct: (act: RowAction) => void;
}

const managerActions: readonly { readonly act: RowAction; readonly icon: IconName; readonly label: string }[] = [
  { act: 'change', icon: 'edit', label: 'Edit' },
  { act: 'ownership', icon: 'account', label: 'Make the client the owner' },
  { act: 'handover', icon: 'forward', label: 'Transfer to another CPA' },
  { act: 'delete', icon: 'remove', label: 'Delete' },
];
const memberActions: typeof managerActions = [{ act: 'leave', icon: 'close', label: 'Leave' }];

/** The actions on a client, in a menu that names each of them. */
function RowActions({ name, role, onAct }: RowActionsProps) {
  return (
    <details class="row-acts">
      <summary class="button plain" aria-label={`Actions for ${name}`}>
        Actions
      </summary>
      <div class="card">
        {(role === 'manager' ? managerActions : memberActions).map(({ act, icon, label }) => (
          <button
            key={act}
            type="button"
            class="plain"
            aria-label={`${label}: ${name}`}
            onClick={(event) => {
              event.currentTarget.closest('details')?.removeAttribute('open');
              onAct(act);
            }}
          >
            <Icon name={icon} /> {label}
          </button>
        ))}
      </div>
    </details>
  );
}
