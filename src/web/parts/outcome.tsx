import { Page } from './page.tsx';

interface OutcomeProps {
  readonly title: string;
  readonly lead: string;
  readonly next: { readonly label: string; readonly href: string } | null;
}

/** What an emailed link did, with the next page. */
export function Outcome({ title, lead, next }: OutcomeProps) {
  return (
    <Page title={title} lead={lead}>
      {next !== null && (
        <p class="actions">
          <a class="button primary" href={next.href}>
            {next.label}
          </a>
        </p>
      )}
    </Page>
  );
}

export function UsedLink(props: Omit<OutcomeProps, 'title'>) {
  return <Outcome title="This link no longer works" {...props} />;
}
