import { useState } from 'preact/hooks';
import { api, got } from '../../api/api.ts';
import { loadAccount } from '../../api/session.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAct } from '../../parts/use-act.ts';

/** Where the link in the mail to a new address leads. It is used by a click: programs that look at mails open links. */
export default function EmailConfirm() {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const { act, problem, isBusy } = useAct();
  const confirm = async () => {
    await got(api.auth.email.confirm.post({ token }));
    setDone(true);
    await loadAccount();
  };
  if (isDone) {
    return (
      <Page title="Your e-mail address is changed" lead="From now on you sign in with the new one.">
        <p class="actions">
          <a class="button primary" href="/year">
            Go on
          </a>
        </p>
      </Page>
    );
  }
  return (
    <Page title="Confirm your e-mail address" lead="It is yours, and you sign in with it from then on.">
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void act(confirm)}>
          Confirm the address
        </button>
      </p>
    </Page>
  );
}
