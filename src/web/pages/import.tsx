import { to } from '../api/acting.ts';
import { useReadOnly } from '../api/books.ts';
import { useStatus } from '../api/status.ts';
import { uploadsHere } from '../api/uploads.ts';
import { counted } from '../format/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { ReadOnlyReason } from '../parts/own-books.tsx';
import { Page } from '../parts/page.tsx';
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
      {uploads.length > 0 && (
        <section aria-label="Files of this visit">
          {uploads.map((upload) => (
            <UploadCard key={upload.id} upload={upload} />
          ))}
        </section>
      )}
      <RecalledUploads />
      <PastImports />
      <GuideList />
    </Page>
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
