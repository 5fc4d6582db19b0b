import { clientId, to } from '../api/acting.ts';
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

/** The user: name, plan, sessions, password, and the way to the data. Nothing here is of a client's books. */
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
        <h2>Programs</h2>
        <p>By a token a program works for you, without your password. You say what it may, and for how long.</p>
        <p class="actions">
          <a class="button" href={to('/account/tokens')}>
            Tokens
          </a>
        </p>
      </section>
      <section class="card">
        <h2>Who did what</h2>
        <p>Every change, sign-in and download stands in a list: who did it, from where, and by which token.</p>
        <p class="actions">
          <a class="button" href={to('/account/audit')}>
            See the list
          </a>
        </p>
      </section>
      <section class="card">
        <h2>Your data</h2>
        <p>Everything that is held for you, as one file. And the way to have all of it erased.</p>
        <p class="actions">
          <a class="button" href={to('/account/data')}>
            Download or delete
          </a>
        </p>
      </section>
    </Page>
  );
}
