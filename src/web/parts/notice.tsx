import type { ComponentChildren } from 'preact';
import { to } from '../api/page-url.ts';
import { LinkButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { OwnBooks } from './own-books.tsx';
import { Card, Page } from './page.tsx';

interface NoticeProps {
  readonly children: ComponentChildren;
  /** A button beside the text. */
  readonly action?: ComponentChildren;
}

/** Something that the user should know before they go on. */
export function Notice({ children, action }: NoticeProps) {
  return (
    <div class="notice">
      <Icon name="warning" />
      <div>{children}</div>
      {action}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What the page will show, in one sentence. */
  readonly children: ComponentChildren;
  /** The next step. By default, the import. */
  readonly next?: { readonly label: string; readonly href: string; readonly icon?: IconName };
}

/** Shown on a page without data: what it will show, and the next step. */
export function Empty({ title, children, next = importFiles }: EmptyProps) {
  return (
    <Card title={title}>
      <p>{children}</p>
      <p class="actions">
        <OwnBooks isSaid>
          <a class="button primary" href={to(next.href)}>
            {next.icon !== undefined && <Icon name={next.icon} />} {next.label}
          </a>
        </OwnBooks>
      </p>
    </Card>
  );
}

const importFiles = { label: 'Import files', href: '/import', icon: 'import' } as const;

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
          <LinkButton label={next.label} isPrimary href={next.href} />
        </p>
      )}
    </Page>
  );
}

export function UsedLink(props: Omit<OutcomeProps, 'title'>) {
  return <Outcome title="This link no longer works" {...props} />;
}
