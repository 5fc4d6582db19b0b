import { useEffect, useRef } from 'preact/hooks';
import { to } from '../api/acting.ts';
import { useReadOnly } from '../api/books.ts';
import { useStatus } from '../api/status.ts';
import { type FileUpload, uploadsHere } from '../api/uploads.ts';
import { counted } from '../format/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { ReadOnlyReason } from '../parts/own-books.tsx';
import { Page } from '../parts/page.tsx';
import { useYears } from '../parts/year-switch.tsx';
import { DropCard } from './import/drop-card.tsx';
import { GuideList } from './import/guide-list.tsx';
import { PastImports } from './import/past-imports.tsx';
import { RecalledUploads } from './import/recalled-uploads.tsx';
import { UploadCard } from './import/upload-card.tsx';

/** Files into the books. */
export default function ImportPage() {
  const uploads = uploadsHere();
  const readOnly = useReadOnly();
  return (
    <Page
      title="Import"
      lead="What your broker or exchange gives you, as it is. Rows that are there already are not taken twice, and every import can be undone."
    >
      {readOnly === 'demo' ? <DemoNotice /> : readOnly === null ? <DropCard /> : <LookOnly />}
      <RejectedNotice />
      {uploads.length > 0 && <Uploads uploads={uploads} />}
      <RecalledUploads />
      <PastImports />
      <GuideList />
    </Page>
  );
}

function Uploads({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const section = useRef<HTMLElement>(null);
  const known = useRef(0);
  useEffect(() => {
    // On a phone the cards of the files that one chose are below what is on screen.
    const card = section.current?.children[known.current];
    if (card !== undefined && card.getBoundingClientRect().top > innerHeight - seenPixels) card.scrollIntoView();
    known.current = uploads.length;
  }, [uploads.length]);
  return (
    <section ref={section} aria-label="Files of this visit">
      {uploads.map((upload) => (
        <UploadCard key={upload.id} upload={upload} />
      ))}
      {uploads.some(({ step }) => step.name === 'done') && uploads.every(isAtRest) && <NextSteps />}
    </section>
  );
}

/** So much of a card shows that it is there. */
const seenPixels = 180;

function isAtRest({ step }: FileUpload): boolean {
  return step.name === 'done' || step.name === 'undone';
}

/** Where one goes from here. */
function NextSteps() {
  const questions = useStatus().data?.issues.count ?? 0;
  const years = useYears().data?.data ?? [];
  const newest = Math.max(...years.map(({ year }) => year));
  return (
    <p class="actions next">
      {questions > 0 && (
        <a class="button primary" href={to('/needs-you')}>
          Answer {counted(questions, 'question')}
        </a>
      )}
      {years.length > 0 && (
        <a class={questions > 0 ? 'button' : 'button primary'} href={to(`/year/${newest}`)}>
          See {newest}
        </a>
      )}
    </p>
  );
}

function DemoNotice() {
  return (
    <section class="card">
      <h2>These are the demo books</h2>
      <p>They are only to be looked at. With an account of your own, you drop your files here.</p>
      <p class="actions">
        <a class="button primary" href="/register">
          Create an account
        </a>
      </p>
    </section>
  );
}

/** In books that one only reads. */
function LookOnly() {
  return (
    <section class="card">
      <h2>Nothing is imported here</h2>
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
    <div class="notice">
      <Icon name="warning" />
      <div>
        <p>
          <a href={to('/import/rejected')}>{counted(lines, 'line')}</a> of your files could not be read. Mend{' '}
          {lines === 1 ? 'it' : 'them'} in place, or set {lines === 1 ? 'it' : 'them'} aside.
        </p>
      </div>
    </div>
  );
}
