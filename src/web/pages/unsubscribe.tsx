import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../api/api.ts';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { useAction } from '../parts/use-action.ts';
import { usedLinkTitle } from './email/mailed-link.tsx';

/** The page for the link at the end of a digest email. It requires a click because email scanners open links. */
export default function Unsubscribe() {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const { act, problem, isBusy, problemOfField } = useAction();
  const stop = async () => {
    await unwrapResponse(api.notifications.unsubscribe.post(undefined, { query: { token } }));
    setDone(true);
  };
  if (isDone) {
    return (
      <OnToNotifications
        title="You won't get these emails anymore"
        lead="You can still see everything under Notifications."
      />
    );
  }
  if (problem !== null && problemOfField('token') !== undefined) {
    return <OnToNotifications title={usedLinkTitle} lead={problem.message} />;
  }
  return (
    <Page title="Stop notification emails" lead="You can turn them on again under Notifications.">
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void act(stop)}>
          Stop these emails
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
