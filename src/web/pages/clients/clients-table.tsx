import { useState } from 'preact/hooks';
import { useBooksColour } from '../../api/books.ts';
import { count, counted } from '../../format/amounts.ts';
import { reviewWords, roleWords } from '../../format/roles.ts';
import { Money } from '../../parts/amount.tsx';
import { Icon } from '../../parts/icon.tsx';
import { InviteForm } from '../../parts/invitations/invite-form.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ClientForm } from './client-form.tsx';
import type { ClientStatusRow } from './client-rows.ts';
import { DeleteClient, LeaveClient } from './delete-client.tsx';

interface ClientsTableProps {
  readonly clients: readonly ClientStatusRow[];
  readonly year: number | undefined;
}

type RowAct = 'change' | 'delete' | 'leave' | 'handover';

/** A client a row. Its name and its numbers lead into its books; several are calculated and downloaded at once. */
export function ClientsTable({ clients, year }: ClientsTableProps) {
  const [left, setLeft] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<{ readonly client: ClientStatusRow; readonly act: RowAct } | null>(null);
  const close = () => setOpened(null);
  const chosen = clients.map(({ id }) => id).filter((id) => !left.includes(id));
  const choose = (id: string, isChosen: boolean) =>
    setLeft(isChosen ? left.filter((each) => each !== id) : [...left, id]);
  return (
    <section class="card" aria-labelledby="clients-table">
      <h2 id="clients-table">{year === undefined ? 'Every client' : `Every client in ${year}`}</h2>
      {year !== undefined && <BulkBar year={year} chosen={chosen} />}
      <Scroll label="Every client">
        <table>
          <TableHead
            columns={[
              { unseen: 'Chosen' },
              'Client',
              { number: year === undefined ? 'Gain' : `Gain of ${year}` },
              'Review',
              { number: 'Questions' },
              { number: 'Reports' },
              { unseen: 'Change' },
            ]}
          />
          <tbody>
            {clients.map((client) => (
              <ClientLine
                key={client.id}
                client={client}
                year={year}
                isChosen={chosen.includes(client.id)}
                onChoose={(isChosen) => choose(client.id, isChosen)}
                onAct={(act) => setOpened({ client, act })}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      {opened?.act === 'change' && <ClientForm client={opened.client} onClose={close} />}
      {opened?.act === 'delete' && <DeleteClient client={opened.client} onClose={close} />}
      {opened?.act === 'leave' && <LeaveClient client={opened.client} onClose={close} />}
      {opened?.act === 'handover' && (
        <InviteForm purpose={{ kind: 'handover', client: opened.client }} onClose={close} />
      )}
    </section>
  );
}

interface ClientLineProps {
  readonly client: ClientStatusRow;
  readonly year: number | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onAct: (act: RowAct) => void;
}

function ClientLine({ client, year, isChosen, onChoose, onAct }: ClientLineProps) {
  const { id, name, role, email, issues, staleReports, transactions } = client;
  const colour = useBooksColour(id);
  const line = client.years.find((each) => each.year === year);
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </td>
      <th scope="row">
        <span class="books-mark" data-books={colour} aria-hidden="true" />
        <a href={`${line === undefined ? '/year' : `/year/${line.year}`}?client=${id}`}>{name}</a>
        <p class="fine">
          {role !== 'manager' && email !== undefined && email !== name && <>{email}, </>}
          {role !== 'manager' && <>you are {roleWords[role].name.toLowerCase()}, </>}
          {counted(transactions, 'transaction')}
        </p>
      </th>
      <td class="number">
        {line === undefined ? <span class="muted">no activity</span> : <Money amount={line.gain} signed />}
        {line?.locked && (
          <div class="fine">
            <Icon name="lock" /> locked
          </div>
        )}
      </td>
      <td class="review-state">{line !== undefined && <ReviewState line={line} />}</td>
      <td class="number">
        {issues.count === 0 ? (
          <span class="muted">none</span>
        ) : (
          <>
            <a href={`/needs-you?client=${id}`}>{count(issues.count)} open</a>
            <div class="fine">
              <Money amount={issues.dollars} /> at stake
            </div>
          </>
        )}
      </td>
      <td class="number">
        {staleReports === 0 ? (
          <span class="muted">none stale</span>
        ) : (
          <a href={`/reports?client=${id}`}>{counted(staleReports, 'stale', 'stale')}</a>
        )}
      </td>
      <td class="number">
        <RowActs name={name} role={role} onAct={onAct} />
      </td>
    </tr>
  );
}

function ReviewState({ line: { review } }: { readonly line: ClientStatusRow['years'][number] }) {
  return (
    <>
      {reviewWords[review.state]}
      {review.changed && <div class="fine">changed since</div>}
      {review.openNotes > 0 && <div class="fine">{counted(review.openNotes, 'open note')}</div>}
    </>
  );
}

function RowActs({ name, role, onAct }: Pick<ClientStatusRow, 'name' | 'role'> & Pick<ClientLineProps, 'onAct'>) {
  if (role !== 'manager') {
    return (
      <button type="button" class="plain" aria-label={`Leave the books of ${name}`} onClick={() => onAct('leave')}>
        <Icon name="close" />
      </button>
    );
  }
  return (
    <>
      <button type="button" class="plain" aria-label={`Change ${name}`} onClick={() => onAct('change')}>
        <Icon name="edit" />
      </button>
      <button type="button" class="plain" aria-label={`Hand over ${name}`} onClick={() => onAct('handover')}>
        <Icon name="forward" />
      </button>
      <button type="button" class="plain" aria-label={`Delete ${name}`} onClick={() => onAct('delete')}>
        <Icon name="remove" />
      </button>
    </>
  );
}
