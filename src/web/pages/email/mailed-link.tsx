import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { homePath } from '../../api/books.ts';
import { loadAccount } from '../../api/session.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAction } from '../../parts/use-action.ts';

interface MailedLinkProps<Result> {
  readonly title?: string;
  /** Why the user should confirm. */
  readonly lead: string;
  /** The button text. */
  readonly verb?: string;
  /** Sends the token, which is in the URL fragment (#) that servers never receive. */
  readonly use: (token: string) => Promise<Result>;
  readonly done: Done | ((result: Result) => Done);
  /** The page that sends a new link, or another next page, or null if there is none. */
  readonly renewal?: Next | string | null;
  /** Another link next to the button. */
  readonly children?: ComponentChildren;
}

interface Done {
  readonly title: string;
  readonly lead: string;
  /** The next page. The default is the overview. */
  readonly next?: Next;
}

interface Next {
  readonly label: string;
  readonly href: string;
}

interface UsedLinkProps {
  readonly lead: string;
  readonly renewal: Next | string | null;
}

export function UsedLink({ lead, renewal }: UsedLinkProps) {
  const next = typeof renewal === 'string' ? { label: 'Request a new link', href: renewal } : renewal;
  return <Outcome title="This link no longer works" lead={lead} next={next} />;
}

/** What a link did, with the next page. */
export function Outcome({ title, lead, next }: Omit<Done, 'next'> & { readonly next: Next | null }) {
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

/**
 * The page for an emailed link that proves who owns an address. It requires a click because email scanners open links.
 */
export function MailedLink<Result>({
  title = 'Confirm your email address',
  lead,
  verb = 'Confirm address',
  use,
  done,
  renewal = '/account',
  children,
}: MailedLinkProps<Result>) {
  const [token] = useState(() => location.hash.slice(1));
  const [reached, setReached] = useState<Done | null>(null);
  const { act, problem, isBusy, problemOfField } = useAction();
  const confirm = async () => {
    const result = await use(token);
    setReached(typeof done === 'function' ? done(result) : done);
    await loadAccount();
  };
  if (reached !== null) return <Outcome {...reached} next={reached.next ?? { label: 'Continue', href: homePath() }} />;
  if (problem !== null && problemOfField('token') !== undefined) {
    return <UsedLink lead={problem.message} renewal={renewal} />;
  }
  return (
    <Page title={title} lead={lead}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void act(confirm)}>
          {verb}
        </button>
        {children}
      </p>
    </Page>
  );
}
