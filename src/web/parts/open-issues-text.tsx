import { to } from '../api/page-url.ts';
import { useReviewCount } from '../api/status.ts';
import { formatCount } from '../format/amounts.ts';
import { HelpTerm } from './help-term.tsx';

/** The number of open items of a year, and their effect on its forms. */
export function OpenIssuesText({ year, issues }: { readonly year: number; readonly issues: number }) {
  const items = useReviewCount(year) ?? issues;
  return (
    <>
      <a href={to('/review', { year })}>{formatCount(items, 'item')} to review</a> for {year}. Its forms are marked{' '}
      <HelpTerm entry="draft">DRAFT</HelpTerm> until {items === 1 ? "it's" : "they're"} resolved.
    </>
  );
}
