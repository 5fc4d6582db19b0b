import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { loadAccount } from '../../api/session.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAct } from '../../parts/use-act.ts';

interface MailedLinkProps {
  readonly title?: string;
  /** Why it is to be confirmed. */
  readonly lead: string;
  /** On the button. */
  readonly verb?: string;
  /** With the token, which stands after the #: no server on the way has seen it. */
  readonly use: (token: string) => Promise<unknown>;
  readonly done: { readonly title: string; readonly lead: string };
  /** Another way out, beside the button. */
  readonly children?: ComponentChildren;
}

/** Where a link in a mail leads that shows whose an address is. It is used by a click: programs that look at mails open links. */
export function MailedLink({
  title = 'Confirm your e-mail address',
  lead,
  verb = 'Confirm the address',
  use,
  done,
  children,
}: MailedLinkProps) {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const { act, problem, isBusy, problemOfField } = useAct();
  const confirm = async () => {
    await use(token);
    setDone(true);
    await loadAccount();
  };
  if (isDone) {
    return (
      <Page title={done.title} lead={done.lead}>
        <p class="actions">
          <a class="button primary" href="/year">
            Go on
          </a>
        </p>
      </Page>
    );
  }
  if (problem !== null && problemOfField('token') !== undefined) {
    return (
      <Page title="This link does not work any more" lead={problem.message}>
        <p class="actions">
          <a class="button primary" href="/account">
            Ask for a new link
          </a>
        </p>
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
