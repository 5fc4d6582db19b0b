import { useEffect, useState } from 'preact/hooks';
import type { StoringProgress } from '../../api/import-events.ts';
import { estimateStoring, paceText } from '../../api/import-pace.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { now } from '../../format/now.ts';

/** Describes the progress of storing a file. */
function storingText({ rows, books }: StoringProgress): string {
  const read = rows > 0 ? [`${formatCount(rows, 'row')} read`] : [];
  const done = books === null ? [] : [`calculating ${count(books.done)} of ${formatCount(books.of, 'asset')}`];
  return [...read, ...done].join(' · ');
}

/** The progress of a file that the server has completely received. */
export function StoringLine({ name, progress }: { readonly name: string; readonly progress: StoringProgress }) {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 500);
    return () => clearInterval(timer);
  }, []);
  const { share, secondsLeft } = estimateStoring(progress.rows, (at - progress.startedAt) / 1_000);
  // Sending takes the first half of the bar, and storing the second.
  const whole = 0.5 + share / 2;
  return (
    <>
      <progress max={1000} value={whole * 1000} aria-label={`Progress of ${name}`} />
      <p class="fine">
        {[paceText(whole, secondsLeft), storingText(progress)].filter((text) => text !== '').join(' · ')}
      </p>
    </>
  );
}
