import { assetClasses } from '../../../engine/statement-values.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { api, useApi } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { say, sayProblem } from '../../api/toasts.ts';
import { count, formatCount, money, quantity } from '../../format/amounts.ts';
import { acquiredDay, day, moment, utcMoment, withDays } from '../../format/dates.ts';
import { allMembers, kindOf, memberNames } from '../../format/member-names.ts';
import { classNames, termName } from '../../format/methods.ts';
import { formatSentenceCase, typeName, words } from '../../format/words.ts';
import { Money, Quantity, StatedAmount } from '../../parts/amount.tsx';
import { ActionButton, Button } from '../../parts/button.tsx';
import { Drawer } from '../../parts/dialog.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { Notice, ResourceView } from '../../parts/page.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';
import { kindNames } from '../review/causes.tsx';
import type { TransactionStory } from './filter.ts';
import { formatUnits } from './list.tsx';
import { deleteTransaction, revertTransaction, TransactionForm, undoEdit } from './transaction-form.tsx';

interface StoryDrawerProps {
  readonly id: string;
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  readonly onClose: () => void;
}

/** The details of a transaction: its values, source, effects and edits. */
export function StoryDrawer({ id, isEditing, onEdit, onClose }: StoryDrawerProps) {
  const reading = useApi(`transaction ${id}`, () => api.transactions({ id }).get());
  const story = reading.data;
  const title = story === undefined ? 'Transaction' : `${typeName(story.type)} ${formatUnits(story)}`;
  return (
    <Drawer title={title} label={title} shows={isEditing && story !== undefined ? 'form' : 'story'} onClose={onClose}>
      <ResourceView reading={reading}>
        {(data) =>
          isEditing ? (
            <TransactionForm story={data} onDone={onClose} onCancel={() => onEdit(false)} />
          ) : (
            <Story story={data} onEdit={() => onEdit(true)} onClose={onClose} />
          )
        }
      </ResourceView>
    </Drawer>
  );
}

interface StoryProps {
  readonly story: TransactionStory;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

function Story({ story, onEdit, onClose }: StoryProps) {
  return (
    <div class="story">
      {story.review.map(({ kind, detail }) => (
        <Notice key={`${kind} ${detail}`}>
          <p>
            <strong>{nameOfReview(kind)}.</strong> {withDays(detail)}
          </p>
          {Object.hasOwn(kindNames, kind) && (
            <p>
              <a href={to('/review', { years: 'all', kind })}>Resolve under Review</a>
            </p>
          )}
        </Notice>
      ))}
      <StoryMembers story={story} />
      <OwnBooks>
        <p class="actions">
          <Button icon="edit" label="Edit" onClick={onEdit} />
          {story.corrected && story.source.importId !== null && (
            <ActionButton
              icon="undo"
              label="Revert to original"
              act={() => revertTransaction(story.id).then(onClose)}
            />
          )}
          <ActionButton
            icon="remove"
            label="Delete"
            class="danger"
            act={() => deleteTransaction(story.id).then(onClose)}
          />
        </p>
      </OwnBooks>
      <StorySource story={story} />
      <StoryEffects story={story} />
      <StoryHistory story={story} />
    </div>
  );
}

function nameOfReview(kind: string): string {
  return (kindNames as Readonly<Record<string, string>>)[kind] ?? formatSentenceCase(kind);
}

/** The effects of a transaction: income, opened lots and Form 8949 entries. */
function StoryEffects({ story }: { readonly story: TransactionStory }) {
  const { income, openLots, disposals, laterDisposals } = story;
  const isNothing = income.length + openLots.length + disposals.count + laterDisposals.count === 0;
  return (
    <section>
      <h3>Tax effect</h3>
      {isNothing && <p>No Form 8949 entries, income or open lots.</p>}
      {income.map(({ type, amount }) => (
        <p key={type}>
          Income: {typeName(type)} of <Money amount={amount} />.
        </p>
      ))}
      <Lines title="Form 8949 entries" lines={disposals} />
      {openLots.length > 0 && (
        <>
          <h4>Open lots</h4>
          <Table
            label="Open lots"
            rows={openLots}
            hrefOf={({ asset }) => to('/holdings', { asset })}
            columns={[
              { head: 'Acquired', cell: ({ acquired }) => acquiredDay(acquired) },
              { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
              { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
              { head: 'Long-term on', cell: ({ longTermOn }) => acquiredDay(longTermOn) },
            ]}
          />
        </>
      )}
      <Lines title="Sales of these lots" lines={laterDisposals} />
    </section>
  );
}

function Lines({ title, lines }: Readonly<{ title: string; lines: TransactionStory['disposals'] }>) {
  const { count, data } = lines;
  if (data.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <Table
        label={title}
        rows={data}
        hrefOf={({ sold, asset }) => to('/forms/8949', { year: sold.slice(0, 4), asset })}
        columns={columns}
      />
      {count > data.length && <p class="fine">And {formatCount(count - data.length, 'more entry', 'more entries')}.</p>}
    </>
  );
}

const columns: readonly ColumnSpec<TransactionStory['disposals']['data'][number]>[] = [
  { head: 'Sold', kind: 'day', cell: ({ sold }) => sold },
  { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'Proceeds', kind: 'money', cell: ({ proceeds }) => proceeds },
  { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
  { head: 'Gain', kind: 'gain', cell: ({ gain }) => gain },
  { head: 'Term', cell: ({ term }) => termName(term) },
  { head: 'Box', cell: ({ box, code }) => (code === '' ? box : `${box}, ${code}`) },
];

/** The edit history, newest first, with an undo for each edit. */
function StoryHistory({ story: { history } }: { readonly story: TransactionStory }) {
  if (history.length === 0) return null;
  return (
    <section>
      <h3>Edit history</h3>
      <ul class="bare-list">
        {history.toReversed().map(({ editId, action, at, undoneAt, members }) => (
          <li key={editId} class="edit">
            <div>
              <strong>{actionNames[action]}</strong> <span class="fine">{moment(at)}</span>
              {undoneAt === null ? (
                <ul class="fine">
                  {members.map(({ member, before, now }) => (
                    <li key={member}>
                      {formatMemberLabel(member)}: from {plainText(member, before)} to {plainText(member, now)}
                    </li>
                  ))}
                </ul>
              ) : (
                <p class="fine">Undone {moment(undoneAt)}.</p>
              )}
            </div>
            {undoneAt === null && (
              <OwnBooks>
                <Button icon="undo" label="Undo" onClick={() => undone(editId)} />
              </OwnBooks>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const actionNames = { change: 'Changed', delete: 'Deleted', revert: 'Reverted to original' } as const;

function formatMemberLabel(member: string): string {
  const known = allMembers.find((each) => each === member);
  return known === undefined ? member : memberNames[known].label;
}

function undone(editId: string): void {
  // The button disappears, so the focus moves to the title of the panel.
  const title = document.querySelector<HTMLElement>('.drawer h2');
  undoEdit(editId).then(() => {
    title?.focus();
    say('Undone.');
  }, sayProblem);
}

/** The source of a transaction: the file, the line number and the raw text. */
function StorySource({ story }: { readonly story: TransactionStory }) {
  const { source, sources, answers, pairing, corrected } = story;
  const lines = source.lines ?? [];
  return (
    <section>
      <h3>Source</h3>
      {sources.length === 0 && <p>Entered manually.</p>}
      <ul class="bare-list">
        {sources.map(({ importId, fileName, format, line }) => (
          <li key={`${importId} ${line}`}>
            <a href={to('/transactions', { importId })}>{fileName ?? formatSentenceCase(format ?? 'a file')}</a>,{' '}
            {importId === source.importId && lines.length > 1
              ? `lines ${lines.map((each) => count(each)).join(', ')}`
              : `line ${count(line)}`}
          </li>
        ))}
      </ul>
      {source.raw !== null && source.raw !== undefined && source.raw !== '' && (
        <>
          <pre class="source-text">{source.raw}</pre>
          {corrected && <p class="fine">This transaction was edited. The values above apply.</p>}
        </>
      )}
      {pairing !== null && (
        <p>
          {pairing.with === null ? (
            'No match, as you answered.'
          ) : (
            <>
              <a href={to('/transactions', { open: pairing.with })}>The other side of the transfer</a>, matched{' '}
              {pairing.by === 'hand' ? 'by you' : 'by asset, quantity and time'}.
            </>
          )}
        </p>
      )}
      {answers.map(({ action, basis, acquired, amount, note }) => (
        <p key={`${action} ${basis} ${amount}`}>
          Your answer:{' '}
          {[
            basis && `cost ${money(basis)}`,
            acquired && `bought ${day(acquired)}`,
            amount && `value ${money(amount)}`,
            action === 'pair' && 'matched with the other side',
            note,
          ]
            .filter(Boolean)
            .join(', ')}
          .
        </p>
      ))}
    </section>
  );
}

/** The fields of a transaction with their values. */
function StoryMembers({ story }: { readonly story: TransactionStory }) {
  const members: Readonly<Record<string, unknown>> = { ...story, externalId: story.source.externalId };
  const names: Readonly<Record<string, string | undefined>> = { ...story.statedNames };
  const stated = allMembers.flatMap((member) => {
    const value = members[member];
    const isSaid = typeof value === 'string' && value !== '' && !(member === 'currency' && value === 'USD');
    return isSaid ? [{ member, value }] : [];
  });
  return (
    <dl class="facts">
      {stated.map(({ member, value }) => (
        <div key={member} class={member === 'note' ? 'whole-line' : ''}>
          <dt>{memberNames[member].label}</dt>
          <dd>
            {member === 'date' ? (
              <RowDate date={value} taxDay={story.day} />
            ) : (
              <MemberText member={member} value={value} currency={story.currency} />
            )}
            {member === 'asset' && story.assetName !== undefined && (
              <span class="fine asset-name">{story.assetName}</span>
            )}
            {names[member] !== undefined && <span class="fine"> (named {names[member]} in its row)</span>}
          </dd>
        </div>
      ))}
      {story.prices.map(({ figure, asset, date, usd, source }) => (
        <div key={`${figure} ${asset} ${date}`}>
          <dt>Price used for {words(figure)}</dt>
          <dd>
            <StatedAmount amount={usd} currency="USD" /> a {asset} on {day(date)},{' '}
            {source === 'own' ? 'from your prices' : source}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The tax day in the taxpayer's time zone, with the exact time. */
function RowDate({ date, taxDay }: { readonly date: string; readonly taxDay: string }) {
  if (!date.includes('T')) return <>{day(taxDay)}</>;
  return (
    <>
      {day(taxDay)} <span class="fine">({utcMoment(date)})</span>
    </>
  );
}

function MemberText({ member, value, currency }: Readonly<{ member: LotbookMember; value: string; currency: string }>) {
  const kind = kindOf(member);
  if (kind === 'money') return <StatedAmount amount={value} currency={currency} />;
  if (kind === 'quantity') return <Quantity amount={value} />;
  return <>{formatValue(kind, value) ?? (kind === 'right' ? formatSentenceCase(value) : value)}</>;
}

/** Returns the words for a value, or undefined if it is shown as it is. */
function formatValue(kind: ReturnType<typeof kindOf>, value: string): string | undefined {
  if (kind === 'day' || kind === 'instant') return value.includes('T') ? utcMoment(value) : day(value);
  if (kind === 'type') return typeName(value);
  if (kind === 'class') return formatClass(value);
  return kind === 'term' ? `${value}-term` : undefined;
}

function formatClass(value: string): string {
  const assetClass = assetClasses.find((each) => each === value);
  return assetClass === undefined ? formatSentenceCase(value) : classNames[assetClass];
}

/** Returns a field's value for a sentence in the edit history. */
function plainText(member: string, value: string): string {
  if (value === '') return 'nothing';
  const known = allMembers.find((each) => each === member);
  const kind = known === undefined ? 'name' : kindOf(known);
  if (kind === 'money' || kind === 'quantity') return quantity(value);
  return formatValue(kind, value) ?? `“${value}”`;
}
