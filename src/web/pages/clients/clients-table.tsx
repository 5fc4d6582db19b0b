import { useState } from 'preact/hooks';
import { booksColour } from '../../api/books.ts';
import { count, counted } from '../../format/amounts.ts';
import { Money } from '../../parts/amount.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { ClientForm } from './client-form.tsx';
import type { ClientStatusRow } from './client-rows.ts';
import { DeleteClient } from './delete-client.tsx';

interface ClientsTableProps {
  readonly clients: readonly ClientStatusRow[];
  readonly year: number | undefined;
}

/** A client a row. Its name and its numbers lead into its books. */
export function ClientsTable({ clients, year }: ClientsTableProps) {
  const [opened, setOpened] = useState<{ readonly client: ClientStatusRow; readonly act: 'change' | 'delete' } | null>(
    null,
  );
  const close = () => setOpened(null);
  return (
    <section class="card" aria-labelledby="clients-table">
      <h2 id="clients-table">{year === undefined ? 'Every client' : `Every client in ${year}`}</h2>
      <Scroll label="Every client">
        <table>
          <TableHead
            columns={[
              'Client',
              { number: year === undefined ? 'Gain' : `Gain of ${year}` },
              { number: 'Questions' },
              { number: 'Reports' },
              { number: 'Transactions' },
              { unseen: 'Change' },
            ]}
          />
          <tbody>
            {clients.map((client) => (
              <ClientLine key={client.id} client={client} year={year} onAct={(act) => setOpened({ client, act })} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {opened?.act === 'change' && <ClientForm client={opened.client} onClose={close} />}
      {opened?.act === 'delete' && <DeleteClient client={opened.client} onClose={close} />}
    </section>
  );
}

interface ClientLineProps {
  readonly client: ClientStatusRow;
  readonly year: number | undefined;
  readonly onAct: (act: 'change' | 'delete') => void;
}

function ClientLine({ client, year, onAct }: ClientLineProps) {
  const { id, name, issues, staleReports, transactions } = client;
  const line = client.years.find((each) => each.year === year);
  return (
    <tr>
      <th scope="row">
        <span class="books-mark" data-books={booksColour(id)} aria-hidden="true" />
        <a href={`${line === undefined ? '/year' : `/year/${line.year}`}?client=${id}`}>{name}</a>
      </th>
      <td class="number">
        {line === undefined ? <span class="muted">no activity</span> : <Money amount={line.gain} signed />}
        {line?.locked && (
          <div class="fine">
            <Icon name="lock" /> locked
          </div>
        )}
      </td>
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
      <td class="number">{count(transactions)}</td>
      <td class="number">
        <button type="button" class="plain" aria-label={`Change ${name}`} onClick={() => onAct('change')}>
          <Icon name="edit" />
        </button>
        <button type="button" class="plain" aria-label={`Delete ${name}`} onClick={() => onAct('delete')}>
          <Icon name="remove" />
        </button>
      </td>
    </tr>
  );
}
