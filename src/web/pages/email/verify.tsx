import { useState } from 'preact/hooks';
import { api, got } from '../../api/api.ts';
import { loadAccount } from '../../api/session.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAct } from '../../parts/use-act.ts';

/** Where the link in the mail to a new account leads. It is used by a click: programs that look at mails open links. */
export default function EmailVerify() {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const { act, problem, isBusy } = useAct();
  const verify = async () => {
    await got(api.auth.email.verify.post({ token }));
    setDone(true);
    await loadAccount();
  };
  if (isDone) {
    return (
      <Page title="Your e-mail address is confirmed" lead="A lost password can be set anew by a mail to it.">
        <p class="actions">
          <a class="button primary" href="/year">
            Go on
          </a>
        </p>
      </Page>
    );
  }
  return (
    <Page title="Confirm your e-mail address" lead="So that we know that our mails reach you.">
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void act(verify)}>
          Confirm the address
        </button>
        <a class="button" href="/">
          Not now
        </a>
      </p>
    </Page>
  );
}
