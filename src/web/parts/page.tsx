import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { entryOfProblem } from '../../features/answers/help/help-links.ts';
import { type List, type Reading, refresh } from '../api/api.ts';
import { useOpenClient } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import type { Problem } from '../api/problem.ts';
import type { Destination } from '../destinations.ts';
import { formatSentenceCase } from '../format/words.ts';
import { Button, Icon, type IconName, LinkButton } from './button.tsx';
import { HelpTerm } from './help-term.tsx';
import { MailVerification } from './mail-verification.tsx';
import { OwnBooks } from './own-books.tsx';

interface PageProps {
  readonly title: string;
  /** Shown next to the title: the year and buttons. */
  readonly actions?: ComponentChildren;
  /** One sentence below the title. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page. Its title is also the tab's title, and gets the focus when the user comes from another page. */
export function Page({ title, actions, lead, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const client = useOpenClient().data?.name;
  useEffect(() => {
    // The client's name comes first because narrow tabs show only the beginning.
    document.title = [client, title, 'Lotbook'].filter((part) => part !== undefined).join(' · ');
  }, [title, client]);
  useEffect(() => {
    if (wasVisited) heading.current?.focus({ preventScroll: true });
    wasVisited = true;
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** The first page of a visit does not move the focus. */
let wasVisited = false;

interface CardProps {
  readonly title: ComponentChildren;
  /** Names the card's region by its title. */
  readonly id?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page, with its title. */
export function Card({ title, id, class: name = '', children }: CardProps) {
  return (
    <section class={`card ${name}`.trim()} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface TabsProps {
  readonly label: string;
  /** The first tab is also the page of the path above it: /settings shows /settings/accounts. */
  readonly tabs: readonly Destination[];
}

/** Links between the parts of a page, each with its own URL. */
export function Tabs({ label, tabs }: TabsProps) {
  const { path } = useLocation();
  const here = tabs.find(({ href }) => href === path) ?? tabs[0];
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the current tab can be outside the visible area.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return (
    <nav ref={list} class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={to(tab.href)} aria-current={tab === here ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}

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

/** An error with what to do about it. An error of the server includes the request id for support. */
export function ProblemNotice({ problem, onRetry }: { readonly problem: Problem; readonly onRetry?: () => void }) {
  // Details that the message already contains are not repeated.
  const fields = problem.fields.filter(({ detail }) => !problem.message.includes(detail));
  const lockedYear = problem.code === 'year_locked' ? problem.members.year : null;
  const entry = entryOfProblem.get(problem.code);
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>{problem.message}</p>
        {typeof lockedYear === 'number' && (
          <p>
            <a href={to('/forms', { year: String(lockedYear) })}>Unlock {lockedYear}</a>
          </p>
        )}
        {entry !== undefined && (
          <p>
            <HelpTerm entry={entry}>Learn more</HelpTerm>
          </p>
        )}
        {problem.code === 'email_unverified' && (
          <p class="actions">
            <MailVerification />
          </p>
        )}
        {fields.length > 0 && typeof lockedYear !== 'number' && (
          <ul class="points">
            {fields.map((field) => (
              <li key={`${field.pointer} ${field.line} ${field.column}`}>
                {formatLocation(field)}
                {field.detail}
              </li>
            ))}
          </ul>
        )}
        {problem.status >= 500 && problem.requestId !== null && <p class="fine">Request {problem.requestId}</p>}
      </div>
      {onRetry !== undefined && <Button label="Try again" onClick={onRetry} />}
    </div>
  );
}

function formatLocation({ pointer, line, column }: Problem['fields'][number]): string {
  if (line !== undefined) return column === undefined ? `Line ${line}: ` : `Line ${line}, column ${column}: `;
  // The last part of a pointer such as `/accounts/Schwab/assetClass` is the most specific.
  const name = pointer?.split('/').at(-1) ?? '';
  return name === '' || /^\d+$/.test(name)
    ? ''
    : `${formatSentenceCase(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))}: `;
}

interface ResourceViewProps<Data> {
  readonly reading: Reading<Data>;
  readonly children: (data: Data) => ComponentChildren;
  /** Shown until the first response. */
  readonly waiting?: ComponentChildren;
}

/** Shows loaded data, a loading indicator, or the error. */
export function ResourceView<Data>({ reading, children, waiting }: ResourceViewProps<Data>) {
  const { data, problem, isLoading } = reading;
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} onRetry={refresh} />}
      {data !== undefined && <div aria-busy={isLoading}>{children(data)}</div>}
      {data === undefined && problem === null && (waiting ?? <Waiting />)}
    </>
  );
}

/** Gray placeholder bars, shown after a moment so that a quick response does not flash. */
export function Waiting({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} class="waiting-line" />
      ))}
    </div>
  );
}

interface ListViewProps<Page> {
  readonly list: List<Page & { readonly data: readonly unknown[]; readonly nextCursor: string | null }>;
  /** The label of the button that loads the next page. */
  readonly more?: string;
  readonly children: (page: Page) => ComponentChildren;
}

/** The pages of a list so far, and a button for the next one. */
export function ListView<Page>({ list: { reading, showMore }, more = 'Show more', children }: ListViewProps<Page>) {
  return (
    <>
      <ResourceView reading={reading}>{children}</ResourceView>
      {showMore !== null && <Button label={more} onClick={showMore} />}
    </>
  );
}
