import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso';
import { clientId } from '../api/page-url.ts';
import { type Account, account } from '../api/session.ts';
import { accountTabs } from '../destinations.ts';
import { OwnerAiConsents } from '../parts/ai-consents.tsx';
import { OpenInvitations } from '../parts/invitations/open-invitations.tsx';
import { NoAccount } from '../parts/no-account.tsx';
import { Page } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { Tabs } from '../parts/tabs.tsx';
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
import { NotFound } from './not-found.tsx';

interface AccountPart {
  readonly title: string;
  readonly view: ComponentType<{ readonly user: Account }>;
}

/** The parts of the account, each with its own URL. Tokens, activity and data are pages of their own. */
const parts: Readonly<Record<string, AccountPart>> = {
  profile: { title: 'Account', view: Profile },
  plan: { title: 'Plan', view: Plan },
  security: { title: 'Security', view: Security },
  access: { title: 'Shared access', view: SharedAccess },
};

/** The user's account. Nothing on this page is about a client's books. */
export default function AccountPage() {
  const { params } = useRoute();
  const name = params.part ?? 'profile';
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const user = account.value;
  if (!user) return null;
  if (part === undefined) return <NotFound />;
  if (user.demo) return <NoAccount title={part.title} />;
  return (
    <Page title={part.title} lead={`Signed in as ${user.email}.`}>
      <Tabs label="Parts of the account" tabs={accountTabs} />
      <Unverified />
      <part.view key={user.id} user={user} />
    </Page>
  );
}

function Profile({ user }: { readonly user: Account }) {
  return (
    <>
      <ProfileForm user={user} />
      <EmailForm email={user.email} />
    </>
  );
}

function Plan({ user }: { readonly user: Account }) {
  return (
    <>
      <Usage user={user} />
      <Billing />
      <Plans mine={user.plan} />
    </>
  );
}

function Security({ user }: { readonly user: Account }) {
  return (
    <>
      <PasswordForm email={user.email} />
      <Passkeys />
      <TwoStep />
      <Providers />
      <Sessions />
    </>
  );
}

function SharedAccess() {
  return (
    <>
      <Grants />
      <OpenInvitations />
      {clientId.value === null && <OwnerAiConsents />}
    </>
  );
}
