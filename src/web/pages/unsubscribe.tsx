import { api, unwrapResponse } from '../api/api.ts';
import { MailedLink } from './email/mailed-link.tsx';

/** The page for the link at the end of a digest email. */
export default function Unsubscribe() {
  const next = { label: 'Notifications', href: '/notifications' };
  return (
    <MailedLink
      title="Stop notification emails"
      lead="You can turn them on again under Notifications."
      verb="Stop these emails"
      use={(token) => unwrapResponse(api.notifications.unsubscribe.post(undefined, { query: { token } }))}
      done={{
        title: "You won't get these emails anymore",
        lead: 'You can still see everything under Notifications.',
        next,
      }}
      renewal={next}
    >
      <a class="button" href="/">
        Keep them
      </a>
    </MailedLink>
  );
}
