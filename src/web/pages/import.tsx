import { useEffect, useRef } from 'preact/hooks';
import { api, useApi, useList } from '../api/api.ts';
import { useReadOnly } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { useReviewCount, useServerConfig, useStatus } from '../api/status.ts';
import { useYears } from '../api/tax-year.ts';
import type { ImportedFile } from '../api/upload-request.ts';
import { type FileUpload, uploadsHere } from '../api/uploads.ts';
import { count, formatCount } from '../format/amounts.ts';
import { moment } from '../format/dates.ts';
import { LinkButton } from '../parts/button.tsx';
import { Coverage } from '../parts/coverage.tsx';
import { ReadOnlyReason } from '../parts/own-books.tsx';
import { Card, ListView, Notice, Page } from '../parts/page.tsx';
import { type ColumnSpec, Table } from '../parts/tables/table.tsx';
import { exchangeGuides } from './import/connection-guides.ts';
import { DropCard, DropSummary } from './import/drop-card.tsx';
import { GuideList } from './import/guide-list.tsx';
import { useFormatName } from './import/import-facts.tsx';
import { RestoreImport, UndoImport } from './import/undo-import.tsx';
import { UploadCard } from './import/upload-card.tsx';

/** The page that imports files. */
export default function ImportPage() {
  const uploads = uploadsHere();
  const readOnly = useReadOnly();
  return (
    <Page
      title="Import"
      lead="Upload files exactly as downloaded. Duplicates are skipped, and you can undo any import."
    >
      {readOnly === 'demo' ? <DemoNotice /> : readOnly === null ? <DropCard /> : <ReadOnlyNote />}
      <ConnectionsCard />
      <RejectedNotice />
      {uploads.length > 0 && <Uploads uploads={uploads} />}
      <Coverage />
      <PastImports />
      <GuideList />
    </Page>
  );
}

function Uploads({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const section = useRef<HTMLElement>(null);
  const known = useRef(0);
  const drops = Array.from(Map.groupBy(uploads, ({ drop }) => drop));
  useEffect(() => {
    // On a phone, the cards for the chosen files are below the visible area.
    const card = section.current?.children[known.current];
    if (card !== undefined && card.getBoundingClientRect().top > innerHeight - seenPixels) card.scrollIntoView();
    known.current = drops.length;
  }, [drops.length]);
  return (
    <section ref={section} aria-label="This session">
      {drops.map(([drop, files]) =>
        files.length === 1 ? (
          files.map((upload) => <UploadCard key={upload.id} upload={upload} />)
        ) : (
          <DropSummary key={drop} uploads={files} />
        ),
      )}
      {uploads.some(({ step }) => step.name === 'done') && uploads.every(isAtRest) && <NextSteps />}
    </section>
  );
}

/** How much of a card must be visible to be noticed. */
const seenPixels = 180;

const isAtRest = ({ step }: FileUpload): boolean => step.name === 'done' || step.name === 'undone';

/** Links to the next steps. */
function NextSteps() {
  const questions = useReviewCount('all') ?? 0;
  const years = useYears().data?.data ?? [];
  const newest = Math.max(...years.map(({ year }) => year));
  return (
    <p class="actions next">
      {questions > 0 && (
        <a class="button primary" href={to('/review', { years: 'all' })}>
          Review {formatCount(questions, 'item')}
        </a>
      )}
      {years.length > 0 && (
        <a class={questions > 0 ? 'button' : 'button primary'} href={to('/overview', { year: newest })}>
          See {newest}
        </a>
      )}
    </p>
  );
}

function DemoNotice() {
  return (
    <Card title="Imports are off in the demo">
      <p>Create an account to import your own files.</p>
      <p class="actions">
        <LinkButton label="Create account" isPrimary href="/register" />
      </p>
    </Card>
  );
}

/** Shown in books that the user can only read. */
function ReadOnlyNote() {
  return (
    <Card title="Imports are off here">
      <p>
        <ReadOnlyReason />
      </p>
    </Card>
  );
}

/** Leads to the exchanges and brokers that this server can read without files. */
function ConnectionsCard() {
  const exchanges = useServerConfig().data?.exchanges ?? [];
  if (exchanges.length === 0) return null;
  return (
    <Card title="Connect an exchange">
      <p>
        Skip the files: with a view-only key, Lotbook reads your history from{' '}
        {listWords(exchanges.map((kind) => exchangeGuides[kind].name))} once a day.
      </p>
      <p class="actions">
        <LinkButton label="Connect or sync" href={to('/import/connections')} />
      </p>
    </Card>
  );
}

function listWords(words: readonly string[]): string {
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(words);
}

function RejectedNotice() {
  const lines = useStatus().data?.rejectedLines ?? 0;
  if (lines === 0) return null;
  return (
    <Notice>
      We couldn't read <a href={to('/import/rejected')}>{formatCount(lines, 'row')}</a>. Fix{' '}
      {lines === 1 ? 'it or dismiss it' : 'them or dismiss them'}.
    </Notice>
  );
}

/** All imports, newest first, each with its undo. */
function PastImports() {
  const list = useList('past imports', (cursor) => api.imports.get({ query: { limit: 10, ...cursor } }));
  const undone = useApi('imports undone', () => api.imports.get({ query: { undone: true } }));
  return (
    <Card title="Your imports">
      <ListView list={list}>
        {({ data }) => (
          <Table
            label="Your imports"
            columns={columns}
            rows={[...(undone.data?.data ?? []), ...data]}
            empty={<p class="fine">No imports yet. You can undo any import at any time.</p>}
          />
        )}
      </ListView>
    </Card>
  );
}

function countColumn(
  head: string,
  name: 'transactions' | 'duplicates' | 'skipped' | 'rejected',
): ColumnSpec<ImportedFile> {
  const isCounted = ({ status, undoneAt }: ImportedFile) => status === 'completed' && undoneAt === undefined;
  return { head, kind: 'number', cell: (result) => (isCounted(result) ? count(result[name]) : null) };
}

const columns: readonly ColumnSpec<ImportedFile>[] = [
  { head: 'File', cell: (result) => <ImportName result={result} /> },
  countColumn('Transactions', 'transactions'),
  countColumn('Duplicates', 'duplicates'),
  countColumn('Not taxable', 'skipped'),
  countColumn("Couldn't read", 'rejected'),
  {
    head: 'Undo',
    kind: 'buttons',
    cell: (result) => {
      if (result.status === 'running') return null;
      const file = { id: result.id, name: nameOf(result) };
      if (result.undoneAt !== undefined) return <RestoreImport {...file} />;
      return <UndoImport {...file} isFailed={result.status === 'failed'} />;
    },
  },
];

function ImportName({ result }: { readonly result: ImportedFile }) {
  const { id, format, status, problem, createdAt, undoneAt } = result;
  const source = useFormatName(format);
  return (
    <div class="file-name">
      {undoneAt === undefined ? <a href={to(`/import/${id}`)}>{nameOf(result)}</a> : nameOf(result)}
      <p class="fine">
        {format !== null && `${source}, `}
        {moment(createdAt)}
      </p>
      {undoneAt !== undefined && (
        <p class="fine">Undone {moment(undoneAt)}. You can restore it, with your edits, for a day.</p>
      )}
      {status === 'failed' && <p class="fine loss">Not imported. {problem?.detail}</p>}
      {status === 'running' && <p class="fine">Saving…</p>}
    </div>
  );
}

const nameOf = ({ fileName }: ImportedFile): string => fileName ?? 'Rows without a file';
