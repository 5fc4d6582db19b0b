import { clientId, to } from '../api/page-url.ts';
import { account } from '../api/session.ts';
import { OwnerAiConsents } from '../parts/ai-consents.tsx';
import { OpenInvitations } from '../parts/invitations/open-invitations.tsx';
import { NoAccount } from '../parts/no-account.tsx';
import { Page } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { Billing } from './account/billing.tsx';
import { EmailForm } from './account/email-form.tsx';
import { Grants } from './account/grants.tsx';
import { Passkeys } from './account/passkeys.tsx';
import { PasswordForm } from './account/password-form.tsx';
import { ProfileForm } from './account/profile-form.tsx';
import { Providers } from './account/providers.tsx';
import { Sessions } from './account/sessions.tsx';
import { TwoStep } from './account/two-step.tsx';
import { Unverified } from './account/unverified.tsx';
import { Usage } from './account/usage.tsx';

/** The user's account: profile, plan, sessions, password and data. Nothing on this page is about a client's books. */
export default function AccountPage() {
  const user = account.value;
  if (!user) return null;
  if (user.demo) return <NoAccount title="Account" />;
  return (
    <Page title="Account" lead={`Signed in as ${user.email}.`}>
      <Unverified />
      <ProfileForm key={user.id} user={user} />
      <Usage user={user} />
      <Plans mine={user.plan} />
      <Billing />
      <Grants />
      {clientId.value === null && <OwnerAiConsents />}
      <OpenInvitations />
      <Sessions />
      <EmailForm email={user.email} />
      <PasswordForm email={user.email} />
      <Passkeys />
      <TwoStep />
      <Providers />
      <section class="card">
        <h2>API tokens</h2>
        <p>Give apps limited access without your password.</p>
        <p class="actions">
          <a class="button" href={to('/account/tokens')}>
            Tokens
          </a>
        </p>
      </section>
      <section class="card">
        <h2>Activity log</h2>
        <p>See who made each change, sign-in and download, from where, and with which token.</p>
        <p class="actions">
          <a class="button" href={to('/account/audit')}>
            View log
          </a>
        </p>
      </section>
      <section class="card">
        <h2>Your data</h2>
        <p>Download everything we store for you, or delete your data.</p>
        <p class="actions">
          <a class="button" href={to('/account/data')}>
            Export or delete
          </a>
        </p>
      </section>
    </Page>
  );
}
