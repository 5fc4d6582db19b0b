import type { StoringProgress } from '../../api/import-events.ts';
import { count, formatCount } from '../../format/amounts.ts';

/** Describes the progress of storing a file. */
function storingText({ rows, books }: StoringProgress): string {
  const read = rows > 0 ? [`${formatCount(rows, 'row')} read`] : [];
  const done = books === null ? [] : [`calculating ${count(books.done)} of ${formatCount(books.of, 'asset')}`];
  return [...read, ...done].join(' · ');
}

function storedShare({ books }: StoringProgress): number {
  return books === null || books.of === 0 ? 0 : books.done / books.of;
}

/** The progress of a file that the server has completely received. */
export function StoringLine({ name, progress }: { readonly name: string; readonly progress: StoringProgress }) {
  return (
    <>
      <progress max={1000} value={500 + storedShare(progress) * 500} aria-label={`Progress of ${name}`} />
      <p class="fine">{storingText(progress)}</p>
    </>
  );
}
