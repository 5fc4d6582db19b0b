import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { deviceName } from '../../base/device-name.ts';
import { api, unwrapResponse, useApi, write } from '../api/api.ts';
import { changeGrant, type GrantDetails, useGrants } from '../api/invitations.ts';
import { clientId } from '../api/page-url.ts';
import { type Account, account, changeAccount, signOutEverywhere } from '../api/session.ts';
import { useSendsMail, useServerConfig } from '../api/status.ts';
import { say, sayEmailed, sayProblem } from '../api/toasts.ts';
import { accountTabs } from '../destinations.ts';
import { moment } from '../format/dates.ts';
import { roleWords } from '../format/roles.ts';
import { OwnerAiConsents } from '../parts/ai-consents.tsx';
import { ActionButton, Button } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { Form, filled } from '../parts/form.tsx';
import { InviteForm, OpenInvitations } from '../parts/invitations/invite-form.tsx';
import { Card, Page, ResourceView, Tabs } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { type ProviderName, providerNames } from '../parts/sign-in/sign-in-form.tsx';
import { Table } from '../parts/tables/table.tsx';
import { TimeZoneField } from '../parts/time-zone-field.tsx';
import { Billing, Usage } from './account/billing.tsx';
import { Passkeys, TwoStep } from './account/two-step.tsx';
import { NoAccount, Unverified } from './account/unverified.tsx';
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

/** Changes the email address for signing in. The change takes effect when the user opens the emailed link. */
function EmailForm({ email }: { readonly email: string }) {
  if (!useSendsMail()) {
    return (
      <Card title="Email address">
        <p>
          You sign in as {email}. Changing it requires a link by email, and this server can't send email. Ask its
          administrator to set it up.
        </p>
      </Card>
    );
  }
  return (
    <Form
      class="card"
      title="Email address"
      lead={<p>You sign in as {email}.</p>}
      fields={{ email: { label: 'New email address', type: 'email', autoComplete: 'email', isRequired: true } }}
      verb="Send verification link"
      busy="Sending…"
      look=""
      onSubmit={async (change) => {
        await unwrapResponse(api.auth.email.post(change));
        sayEmailed(change.email, 'Your address changes when you open it.');
      }}
    />
  );
}

/** Sets a new password and ends other sessions. The form has the email address for password managers. */
function PasswordForm({ email }: { readonly email: string }) {
  return (
    <Form
      class="card"
      title="Password"
      lead={
        <input
          class="visually-hidden"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
      }
      fields={{
        current: {
          label: 'Current password',
          type: 'password',
          autoComplete: 'current-password',
          hint: "Leave blank if you've only signed in with Google or GitHub.",
        },
        password: {
          label: 'New password',
          type: 'password',
          autoComplete: 'new-password',
          isRequired: true,
          hint: 'Use at least 8 characters. Signs out your other devices.',
        },
      }}
      verb="Change password"
      look=""
      onSubmit={async ({ password, current }) => {
        await write(api.auth.password.post({ password, ...filled({ current }) }));
        say('Password changed. Other devices are signed out.');
      }}
    />
  );
}

/** The user's profile, including what the forms print. */
function ProfileForm({ user }: { readonly user: Account }) {
  const zone = user.timeZoneStated ? user.timeZone : '';
  return (
    <Form
      class="card"
      title="Profile"
      verb="Save"
      busy={({ timeZone }) => (timeZone === zone ? 'Saving…' : 'Recalculating your years…')}
      fields={{
        name: { label: 'Display name', value: user.name, autoComplete: 'name' },
        taxpayerName: {
          label: 'Name on tax return',
          value: user.taxpayerName,
          hint: 'Exactly as on your return. For a joint return: Ann & Bob Fields.',
        },
        tin: {
          label: 'Taxpayer identification number',
          autoComplete: 'off',
          hint:
            user.tin === undefined
              ? 'Printed on your forms, like 123-45-6789. Leave blank to write it in yourself.'
              : `Your number on file is •••-••-${user.tin.slice(-4)}. Enter another number to replace it.`,
        },
        timeZone: { label: 'Time zone', value: zone, view: TimeZoneField },
      }}
      // Saving a name must not also save a time zone that the user did not choose.
      onSubmit={async ({ tin, timeZone, ...others }) => {
        const change = { ...others, ...filled({ tin }), ...(timeZone === zone ? {} : { timeZone }) };
        say('Saved.', await changeAccount(change));
      }}
      actions={
        user.tin !== undefined && (
          <ActionButton label="Remove number" act={() => changeAccount({ tin: null })} said="Saved." />
        )
      }
    />
  );
}

/** Linked Google and GitHub accounts. Renders nothing if the server supports neither. */
function Providers() {
  const linked = useApi('sign-in methods', () => api.auth.methods.get()).data?.providers ?? [];
  const offered = useServerConfig().data?.providers ?? [];
  const shown = [...new Set([...offered, ...linked])];
  if (shown.length === 0) return null;
  const link = async (provider: ProviderName) => {
    const { url } = await unwrapResponse(api.auth.identities.post({ provider }));
    location.assign(url);
  };
  return (
    <Card title="Linked accounts">
      <ul class="switches">
        {shown.map((name) => (
          <li key={name} class="actions">
            <span>
              {providerNames[name]}: {linked.includes(name) ? 'linked for sign-in' : 'not linked'}
            </span>
            {linked.includes(name) ? (
              <ActionButton
                label={`Unlink ${providerNames[name]}`}
                act={() => write(api.auth.identities({ provider: name }).delete())}
                said={`Your ${providerNames[name]} account is unlinked.`}
              />
            ) : (
              <ActionButton label={`Link ${providerNames[name]}`} act={() => link(name)} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The user's sessions, each with a button to end it. */
function Sessions() {
  const { route } = useLocation();
  const reading = useApi('sessions', () => api.auth.sessions.get({ query: { limit: 100 } }));
  const endAll = async () => {
    await signOutEverywhere();
    say("You're signed out everywhere.");
    route('/sign-in', true);
  };
  return (
    <Card title="Active sessions">
      <ResourceView reading={reading}>
        {({ data }) => (
          <Table
            label="Active sessions"
            rows={data}
            columns={[
              { head: 'Device', cell: ({ device }) => deviceName(device) },
              { head: 'Since', kind: 'minute', cell: ({ createdAt }) => createdAt },
              { head: 'Last used', kind: 'minute', cell: ({ lastUsedAt }) => lastUsedAt },
              { head: 'Until', kind: 'minute', cell: ({ expiresAt }) => expiresAt },
              {
                head: 'End it',
                kind: 'buttons',
                cell: ({ id, device, createdAt, current }) =>
                  current ? (
                    <span class="muted">this one</span>
                  ) : (
                    <ActionButton
                      label="End"
                      aria-label={`End the session of ${deviceName(device)} since ${moment(createdAt)}`}
                      act={() => write(api.auth.sessions({ id }).delete())}
                      said="Session ended."
                    />
                  ),
              },
            ]}
          />
        )}
      </ResourceView>
      <p class="actions">
        <ActionButton label="Sign out everywhere" act={endAll} />
        <span class="fine">Includes this browser. If you don't recognize a device, change your password too.</span>
      </p>
    </Card>
  );
}

/** The people with access to the user's own books, each with a button to remove it. */
function Grants() {
  const [isInviting, setInviting] = useState(false);
  const reading = useGrants();
  return (
    <Card id="grants" title="Shared access">
      <ResourceView reading={reading}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <p>Only you. Invite your CPA or accept a request.</p>
            ) : (
              <ul class="access">
                {data.map((grant) => (
                  <GrantItem key={grant.id} grant={grant} />
                ))}
              </ul>
            )}
            <Button icon="add" label="Invite a CPA" onClick={() => setInviting(true)} />
            {isInviting && <InviteForm purpose={{ kind: 'offer', grants: data }} onClose={() => setInviting(false)} />}
          </>
        )}
      </ResourceView>
    </Card>
  );
}

const roles = (['viewer', 'preparer', 'reviewer'] as const).map((value) => ({ value, label: roleWords[value].name }));

function GrantItem({ grant }: { readonly grant: GrantDetails }) {
  const { id, email, name, role, since } = grant;
  const change = async (to: GrantDetails['role']) =>
    say(`${email} now has the role ${roleWords[to].name}.`, await changeGrant(grant, to));
  return (
    <li>
      <div>
        <p>
          <strong>{email}</strong>
          {name !== '' && ` (${name})`}
        </p>
        <p class="fine">
          {roleWords[role].name}: {roleWords[role].may}. Since {moment(since)}.
        </p>
      </div>
      <Choice
        label={`Role of ${email}`}
        value={role}
        options={roles}
        onChange={(to) => void change(to).catch(sayProblem)}
      />
      <ActionButton
        label="Remove access"
        class="danger"
        aria-label={`Remove access for ${email}`}
        act={() => write(api.account.grants({ id }).delete())}
        said={`${email} no longer has access.`}
      />
    </li>
  );
}
