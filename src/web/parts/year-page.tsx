import type { ComponentChildren } from 'preact';
import { useKnownYear, useYears } from '../api/tax-year.ts';
import { Page, ResourceView } from './page.tsx';

interface YearPageProps {
  /** The title without the year. */
  readonly title: string;
  readonly lead: string;
  readonly tabs?: ComponentChildren;
  /** Shown instead of the content if no year has activity. */
  readonly empty: ComponentChildren;
  readonly children: (year: number) => ComponentChildren;
}

/** A page about the chosen year. */
export function YearPage({ title, lead, tabs, empty, children }: YearPageProps) {
  const year = useKnownYear();
  const years = useYears();
  return (
    <Page title={year === null ? title : `${title}, ${year}`} {...(year === null ? {} : { lead })}>
      {tabs}
      {year === null ? <ResourceView reading={years}>{() => empty}</ResourceView> : children(year)}
    </Page>
  );
}
