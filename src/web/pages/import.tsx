import { useEffect, useRef } from 'preact/hooks';
import { useReadOnly } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { useReviewCount, useStatus } from '../api/status.ts';
import { useYears } from '../api/tax-year.ts';
import { type FileUpload, uploadsHere } from '../api/uploads.ts';
import { formatCount } from '../format/amounts.ts';
import { Coverage } from '../parts/coverage.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadOnlyReason } from '../parts/own-books.tsx';
import { Page } from '../parts/page.tsx';
import { DropCard } from './import/drop-card.tsx';
import { DropSummary } from './import/drop-summary.tsx';
import { GuideList } from './import/guide-list.tsx';
import { PastImports } from './import/past-imports.tsx';
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

function isAtRest({ step }: FileUpload): boolean {
  return step.name === 'done' || step.name === 'undone';
}

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
    <section class="card">
      <h2>Imports are off in the demo</h2>
      <p>Create an account to import your own files.</p>
      <p class="actions">
        <a class="button primary" href="/register">
          Create account
        </a>
      </p>
    </section>
  );
}

/** Shown in books that the user can only read. */
function ReadOnlyNote() {
  return (
    <section class="card">
      <h2>Imports are off here</h2>
      <p>
        <ReadOnlyReason />
      </p>
    </section>
  );
}

function RejectedNotice() {
  const lines = useStatus().data?.rejectedLines ?? 0;
  if (lines === 0) return null;
  return (
    <Notice>
      <p>
        We couldn't read <a href={to('/import/rejected')}>{formatCount(lines, 'row')}</a>. Fix{' '}
        {lines === 1 ? 'it or dismiss it' : 'them or dismiss them'}.
      </p>
    </Notice>
  );
}
