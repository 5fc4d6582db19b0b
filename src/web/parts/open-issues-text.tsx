import { to } from '../api/page-url.ts';
import { formatCount } from '../format/amounts.ts';
import { HelpTerm } from './help-term.tsx';

/** The number of open items of a year, and their effect on its forms. */
export function OpenIssuesText({ year, issues }: { readonly year: number; readonly issues: number }) {
  return (
    <>
      <a href={to('/review', { year })}>{formatCount(issues, 'item')} to review</a> for {year}. Its forms are marked{' '}
      <HelpTerm entry="draft">DRAFT</HelpTerm> until {issues === 1 ? "it's" : "they're"} resolved.
    </>
  );
}
