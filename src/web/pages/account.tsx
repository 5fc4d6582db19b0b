import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { deviceName } from '../../base/device-name.ts';
import { api, unwrapResponse } from '../api/api.ts';
import { booksChanged, write } from '../api/changes.ts';
import { changeGrant, endGrant, type GrantDetails, useGrants } from '../api/invitations.ts';
import { clientId } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { type Account, account, changeAccount, signOutEverywhere } from '../api/session.ts';
import { useSendsMail, useServerConfig } from '../api/status.ts';
import { accountTabs } from '../destinations.ts';
import { moment } from '../format/dates.ts';
import { roleWords } from '../format/roles.ts';
import { OwnerAiConsents } from '../parts/ai-consents.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { Form, filled } from '../parts/form.tsx';
import { InviteForm, OpenInvitations } from '../parts/invitations/invite-form.tsx';
import { Card, Page, Tabs } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { type ProviderName, providerNames } from '../parts/sign-in/sign-in-form.tsx';
import { Table } from '../parts/tables/table.tsx';
import { TimeZoneField } from '../parts/time-zone-field.tsx';
import { say, sayEmailed, sayProblem } from '../parts/toasts.tsx';
import { useAction } from '../parts/use-action.ts';
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
  const { act, isBusy } = useAction();
  const zone = user.timeZoneStated ? user.timeZone : '';
  const save = async (change: Parameters<typeof changeAccount>[0]) => {
    const undo = await changeAccount(change);
    booksChanged();
    say('Saved.', async () => {
      await undo();
      booksChanged();
    });
  };
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
      onSubmit={({ tin, timeZone, ...others }) =>
        save({ ...others, ...(tin === '' ? {} : { tin }), ...(timeZone === zone ? {} : { timeZone }) })
      }
      actions={
        user.tin !== undefined && (
          <Button label="Remove number" aria-disabled={isBusy} onClick={() => void act(() => save({ tin: null }))} />
        )
      }
    />
  );
}

/** Linked Google and GitHub accounts. Renders nothing if the server supports neither. */
function Providers() {
  const linked = useResource('sign-in methods', () => unwrapResponse(api.auth.methods.get())).data?.providers ?? [];
  const offered = useServerConfig().data?.providers ?? [];
  const shown = [...new Set([...offered, ...linked])];
  if (shown.length === 0) return null;
  const link = async (provider: ProviderName) => {
    const { url } = await unwrapResponse(api.auth.identities.post({ provider }));
    location.assign(url);
  };
  const unlink = async (provider: ProviderName) => {
    await write(api.auth.identities({ provider }).delete());
    say(`Your ${providerNames[provider]} account is unlinked.`);
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
              <Button label={`Unlink ${providerNames[name]}`} onClick={() => unlink(name).catch(sayProblem)} />
            ) : (
              <Button label={`Link ${providerNames[name]}`} onClick={() => link(name).catch(sayProblem)} />
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
  const reading = useResource('sessions', () => unwrapResponse(api.auth.sessions.get({ query: { limit: 100 } })));
  const end = async (id: string) => {
    await write(api.auth.sessions({ id }).delete());
    say('Session ended.');
  };
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
                    <Button
                      label="End"
                      aria-label={`End the session of ${deviceName(device)} since ${moment(createdAt)}`}
                      onClick={() => end(id).catch(sayProblem)}
                    />
                  ),
              },
            ]}
          />
        )}
      </ResourceView>
      <p class="actions">
        <Button label="Sign out everywhere" onClick={() => endAll().catch(sayProblem)} />
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
  const change = async (to: GrantDetails['role']) => {
    const undo = await changeGrant(grant, to);
    say(`${email} now has the role ${roleWords[to].name}.`, undo);
  };
  const end = async () => {
    await endGrant(id);
    say(`${email} no longer has access.`);
  };
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
      <Button
        label="Remove access"
        class="danger"
        aria-label={`Remove access for ${email}`}
        onClick={() => end().catch(sayProblem)}
      />
    </li>
  );
}
