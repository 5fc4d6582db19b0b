import type { ComponentChildren } from 'preact';
import { useReviewCount, useStatus } from '../api/status.ts';
import { useTaxYear } from '../api/tax-year.ts';
import { uploadsHere } from '../api/uploads.ts';
import { count } from '../format/amounts.ts';
import { needsDecision } from '../parts/uploads/upload-strip.tsx';

/** What waits on a page, shown next to its name. */
export const badges: Readonly<Record<string, () => ComponentChildren>> = {
  '/import': () => <Count of={uploadsHere().filter(needsDecision).length} what="to match" />,
  '/review': () => <Count of={useReviewCount(useTaxYear()) ?? 0} what="open" />,
  '/forms': () => {
    const stale = useStatus().data?.staleReports ?? 0;
    return stale === 0 ? null : <span class="badge word">Out of date</span>;
  },
};

function Count({ of, what }: { readonly of: number; readonly what: string }) {
  if (of === 0) return null;
  return (
    <span class="badge">
      {count(of)}
      <span class="visually-hidden"> {what}</span>
    </span>
  );
}
