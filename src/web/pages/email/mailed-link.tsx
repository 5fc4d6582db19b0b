import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { loadAccount } from '../../api/session.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAct } from '../../parts/use-act.ts';

interface MailedLinkProps<Result> {
  readonly title?: string;
  /** Why it is to be confirmed. */
  readonly lead: string;
  /** On the button. */
  readonly verb?: string;
  /** With the token, which stands after the #: no server on the way has seen it. */
  readonly use: (token: string) => Promise<Result>;
  readonly done: Done | ((result: Result) => Done);
  /** Where a new link comes from; null if there is none. */
  readonly renewal?: string | null;
  /** Another way out, beside the button. */
  readonly children?: ComponentChildren;
}

interface Done {
  readonly title: string;
  readonly lead: string;
  /** The next page; that of the year by default. */
  readonly next?: { readonly label: string; readonly href: string };
}

/** Where a link in a mail leads that shows whose an address is. It is used by a click: programs that look at mails open links. */
export function MailedLink<Result>({
  title = 'Confirm your e-mail address',
  lead,
  verb = 'Confirm the address',
  use,
  done,
  renewal = '/account',
  children,
}: MailedLinkProps<Result>) {
  const [token] = useState(() => location.hash.slice(1));
  const [reached, setReached] = useState<Done | null>(null);
  const { act, problem, isBusy, problemOfField } = useAct();
  const confirm = async () => {
    const result = await use(token);
    setReached(typeof done === 'function' ? done(result) : done);
    await loadAccount();
  };
  if (reached !== null) {
    const { label, href } = reached.next ?? { label: 'Go on', href: '/year' };
    return (
      <Page title={reached.title} lead={reached.lead}>
        <p class="actions">
          <a class="button primary" href={href}>
            {label}
          </a>
        </p>
      </Page>
    );
  }
  if (problem !== null && problemOfField('token') !== undefined) {
    return (
      <Page title="This link does not work any more" lead={problem.message}>
        {renewal !== null && (
          <p class="actions">
            <a class="button primary" href={renewal}>
              Ask for a new link
            </a>
          </p>
        )}
      </Page>
    );
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
