import { useState } from 'preact/hooks';
import { api, got } from '../api/api.ts';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { useAct } from '../parts/use-act.ts';

/** Where the link at the end of a digest leads. It is used by a click: programs that look at mails open links. */
export default function Unsubscribe() {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const { act, problem, isBusy, problemOfField } = useAct();
  const stop = async () => {
    await got(api.notifications.unsubscribe.post(undefined, { query: { token } }));
    setDone(true);
  };
  if (isDone) {
    return (
      <OnToNotifications
        title="No more of these mails come"
        lead="What happens still stands among your notifications."
      />
    );
  }
  if (problem !== null && problemOfField('token') !== undefined) {
    return <OnToNotifications title="This link does not work" lead={problem.message} />;
  }
  return (
    <Page title="Stop the mails of your notifications" lead="You can choose them again among your notifications.">
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void act(stop)}>
          Stop these mails
        </button>
        <a class="button" href="/">
          Keep them
        </a>
      </p>
    </Page>
  );
}

function OnToNotifications({ title, lead }: { readonly title: string; readonly lead: string }) {
  return (
    <Page title={title} lead={lead}>
      <p class="actions">
        <a class="button primary" href="/notifications">
          Notifications
        </a>
      </p>
    </Page>
  );
}
