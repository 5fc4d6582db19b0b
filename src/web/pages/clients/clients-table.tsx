import { useState } from 'preact/hooks';
import { to } from '../../api/acting.ts';
import { useBooksColor } from '../../api/books.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { reviewWords, roleWords } from '../../format/roles.ts';
import { Money } from '../../parts/amount.tsx';
import { Icon } from '../../parts/icon.tsx';
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
          { number: 'Reports' },
          { unseen: 'Change' },
        ]}
        rows={clients.map((client) => {
          const line = client.years.find((each) => each.year === year);
          const isChosen = chosen.includes(client.id);
          return {
            key: client.id,
            name: <ClientName {...{ client, line, isChosen }} onChoose={(wanted) => choose(client.id, wanted)} />,
            cells: [
              <YearGain line={line} />,
              line === undefined ? null : <ReviewState line={line} />,
              <OpenQuestions client={client} />,
              <StaleReports client={client} />,
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

function StaleReports({ client: { id, staleReports } }: Pick<ClientNameProps, 'client'>) {
  // There may be no report at all because the status counts only stale ones.
  if (staleReports === 0) return <span class="muted">–</span>;
  return <a href={to('/forms', { client: id })}>{`${count(staleReports)} out of date`}</a>;
}

function ReviewState({ line: { review } }: { readonly line: ClientYearLine }) {
  return (
    <div class="review-state">
      {reviewWords[review.state]}
      {review.changed && <div class="fine">changed since</div>}
      {review.openNotes > 0 && <div class="fine">{formatCount(review.openNotes, 'open note')}</div>}
    </div>
  );
}

interface RowActionsProps extends Pick<ClientStatusRow, 'name' | 'role'> {
  readonly onAct: (act: RowAction) => void;
}

function RowActions({ name, role, onAct }: RowActionsProps) {
  if (role !== 'manager') {
    return (
      <button type="button" class="plain" aria-label={`Leave ${name}`} onClick={() => onAct('leave')}>
        <Icon name="close" />
      </button>
    );
  }
  return (
    <span class="row-acts">
      <button type="button" class="plain" aria-label={`Change ${name}`} onClick={() => onAct('change')}>
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`Transfer ownership to ${name}`}
        onClick={() => onAct('ownership')}
      >
        <Icon name="account" />
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`Transfer ${name} to another CPA`}
        onClick={() => onAct('handover')}
      >
        <Icon name="forward" />
      </button>
      <button type="button" class="plain" aria-label={`Delete ${name}`} onClick={() => onAct('delete')}>
        <Icon name="remove" />
      </button>
    </span>
  );
}
