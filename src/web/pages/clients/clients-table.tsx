import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, type DataOf, write } from '../../api/api.ts';
import { useBooksColor } from '../../api/books.ts';
import { clientId, to } from '../../api/page-url.ts';
import { say } from '../../api/toasts.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { localDay } from '../../format/dates.ts';
import { reviewWords, roleWords } from '../../format/roles.ts';
import { Money } from '../../parts/amount.tsx';
import { ActionButton, Button, Icon, type IconName } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { Form } from '../../parts/form.tsx';
import { InviteForm } from '../../parts/invitations/invite-form.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { formatWords } from '../reports/formats.ts';
import type { FormatId } from '../reports/reports-data.ts';
import { ClientForm, type ClientStatusRow, deleteClient } from './client-form.tsx';

interface ClientsTableProps {
  readonly clients: readonly ClientStatusRow[];
  readonly year: number | undefined;
}

type RowAction = 'change' | 'delete' | 'leave' | 'handover' | 'ownership';

/** One client per row, with links into its books. Selected clients can be calculated and downloaded together. */
export function ClientsTable({ clients, year }: ClientsTableProps) {
  const [left, setLeft] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<{ readonly client: ClientStatusRow; readonly act: RowAction } | null>(null);
  const close = () => setOpened(null);
  const lineOf = ({ years }: ClientStatusRow) => years.find((each) => each.year === year);
  const chosen = clients.map(({ id }) => id).filter((id) => !left.includes(id));
  const choose = (id: string, isChosen: boolean) =>
    setLeft(isChosen ? left.filter((each) => each !== id) : [...left, id]);
  return (
    <Card id="clients-table" title={year === undefined ? 'Every client' : `Every client in ${year}`}>
      {year !== undefined && <BulkBar year={year} chosen={chosen} />}
      <Table
        label="Every client"
        rows={clients}
        columns={[
          {
            head: 'Client',
            sort: ({ name }) => name.toLowerCase(),
            cell: (client) => (
              <ClientName
                {...{ client, year }}
                isChosen={chosen.includes(client.id)}
                onChoose={(isChosen) => choose(client.id, isChosen)}
              />
            ),
          },
          {
            head: year === undefined ? 'Gain' : `${year} gain`,
            kind: 'gain',
            sort: (client) => lineOf(client)?.gain ?? null,
            cell: (client) => lineOf(client)?.gain ?? <span class="muted">no activity</span>,
            note: (client) =>
              lineOf(client)?.locked && (
                <>
                  <Icon name="lock" /> locked
                </>
              ),
          },
          {
            head: 'Review',
            sort: (client) => lineOf(client)?.review.state ?? null,
            cell: (client) => <ReviewState line={lineOf(client)} />,
          },
          {
            head: 'To review',
            kind: 'number',
            sort: ({ issues }) => issues.count,
            cell: ({ id, issues }) =>
              issues.count === 0 ? (
                <span class="muted">none</span>
              ) : (
                <a href={to('/review', { client: id, years: 'all' })}>{count(issues.count)} to review</a>
              ),
            note: ({ issues }) =>
              issues.count > 0 && (
                <>
                  <Money amount={issues.dollars} /> affected
                </>
              ),
          },
          {
            head: 'Last import',
            kind: 'local day',
            cell: ({ lastImportAt }) => lastImportAt ?? <span class="muted">none</span>,
          },
          {
            head: 'Report',
            sort: (client) => lineOf(client)?.report?.createdAt ?? null,
            cell: (client) => <YearReport client={client} line={lineOf(client)} />,
          },
          {
            head: 'Change',
            kind: 'buttons',
            cell: (client) => <RowActions {...client} onAct={(act) => setOpened({ client, act })} />,
          },
        ]}
      />
      {opened?.act === 'change' && <ClientForm client={opened.client} onClose={close} />}
      {(opened?.act === 'delete' || opened?.act === 'leave') && (
        <RemovalDialog client={opened.client} act={opened.act} onClose={close} />
      )}
      {(opened?.act === 'handover' || opened?.act === 'ownership') && (
        <InviteForm purpose={{ kind: opened.act, client: opened.client }} onClose={close} />
      )}
    </Card>
  );
}

type ClientYearLine = ClientStatusRow['years'][number];

interface ClientCellProps {
  readonly client: ClientStatusRow;
  /** Undefined if the client has no activity in the year. */
  readonly line: ClientYearLine | undefined;
}

interface ClientNameProps extends Pick<ClientCellProps, 'client'> {
  readonly year: number | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function ClientName({ client, year, isChosen, onChoose }: ClientNameProps) {
  const { id, name, role, email, transactions } = client;
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
        <a href={to('/overview', { client: id, year })}>{name}</a>
        <p class="fine">
          {role !== 'manager' && email !== undefined && email !== name && <>{email}, </>}
          {role !== 'manager' && <>your role: {roleWords[role].name.toLowerCase()}, </>}
          {formatCount(transactions, 'transaction')}
        </p>
      </div>
    </div>
  );
}

/** The year's newest report. */
function YearReport({ client: { id }, line }: ClientCellProps) {
  const report = line?.report ?? null;
  if (line === undefined || report === null) return <span class="muted">none</span>;
  return (
    <a href={to('/forms', { client: id, year: line.year })}>
      {report.stale ? 'Out of date' : localDay(report.createdAt)}
    </a>
  );
}

function ReviewState({ line }: Pick<ClientCellProps, 'line'>) {
  if (line === undefined) return null;
  const { review } = line;
  return (
    <div class="whole">
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
    <Menu class="row-menu" button="Actions" label={`Actions for ${name}`}>
      {(close) => (
        <ul>
          {(role === 'manager' ? managerActions : memberActions).map(({ act, icon, label }) => (
            <li key={act}>
              <Button
                icon={icon}
                label={label}
                aria-label={`${label}: ${name}`}
                onClick={() => {
                  close();
                  onAct(act);
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

interface BulkBarProps {
  readonly year: number;
  /** The ids of the selected clients. */
  readonly chosen: readonly string[];
}

const formats = Object.keys(formatWords) as FormatId[];

/** Actions for all selected clients at once. */
function BulkBar({ year, chosen }: BulkBarProps) {
  const [format, setFormat] = useState<FormatId>('8949');
  const describeResults = ({ data }: DataOf<typeof api.clients.calculate.post>): string => {
    const refused = data.filter(({ status }) => status === 'refused');
    const [first] = refused;
    const why = first === undefined ? '' : ` Not calculated: ${first.name}. ${first.problem?.detail ?? ''}`;
    return `${formatCount(data.length - refused.length, 'client')} calculated. ${year} forms are ready.${why}`;
  };
  const query = new URLSearchParams({ year: String(year), format, clients: chosen.join(',') });
  return (
    <fieldset class="bulk">
      <legend>{formatCount(chosen.length, 'client')} selected</legend>
      <ActionButton
        icon="check"
        label="Generate forms"
        busy="Calculating…"
        disabled={chosen.length === 0}
        act={() => write(api.clients.calculate.post({ clients: [...chosen], year }))}
        said={describeResults}
      />
      {chosen.length > 0 && (
        <>
          <label>
            <span class="visually-hidden">Download format</span>
            <select
              value={format}
              onChange={(event) => {
                const newFormat = formats.find((each) => each === event.currentTarget.value);
                if (newFormat !== undefined) setFormat(newFormat);
              }}
            >
              {formats.map((each) => (
                <option key={each} value={each}>
                  {formatWords[each].name} ({formatWords[each].kind})
                </option>
              ))}
            </select>
          </label>
          <DownloadButton label="Download as one ZIP" pathOf={() => `/v1/clients/reports?${query}`} />
        </>
      )}
    </fieldset>
  );
}

interface RemovalDialogProps {
  readonly client: ClientStatusRow;
  readonly act: 'delete' | 'leave';
  readonly onClose: () => void;
}

/**
 * Ends the user's access to a client's own books, which stay with their owner, or permanently deletes all books of a
 * client, so the user must type the client's name to confirm.
 */
function RemovalDialog({ client: { id, name, transactions }, act, onClose }: RemovalDialogProps) {
  const { route } = useLocation();
  const isDeletion = act === 'delete';
  return (
    <Dialog title={`${isDeletion ? 'Delete' : 'Leave'} ${name}`} onClose={onClose}>
      <Form
        lead={
          <p>
            {isDeletion
              ? `This deletes ${formatCount(transactions, 'transaction')}, all files, all fixes, and all reports. This cannot be undone.`
              : 'You will lose access, but nothing in the account changes. To regain access, invite the client again.'}
          </p>
        }
        fields={{
          typed: { label: `Type ${name} to confirm`, isRequired: true, autoComplete: 'off', isHidden: !isDeletion },
        }}
        look="danger"
        verb={isDeletion ? 'Delete client' : 'Leave account'}
        isReady={({ typed }) => !isDeletion || typed.trim() === name}
        onClose={onClose}
        onSubmit={async () => {
          await deleteClient(id);
          say(isDeletion ? `${name} deleted.` : `You no longer have access to ${name}.`);
          onClose();
          if (clientId.value === id) route('/clients');
        }}
      />
    </Dialog>
  );
}
