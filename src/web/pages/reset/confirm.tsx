import { useEffect, useState } from 'preact/hooks';
import { api, type DataOf, unwrapResponse } from '../../api/api.ts';
import { toProblem } from '../../api/problem.ts';
import { resetPassword } from '../../api/session.ts';
import { formatCount } from '../../format/amounts.ts';
import { Form } from '../../parts/form.tsx';
import { Outcome, Page, UsedLink } from '../../parts/page.tsx';
import { newPasswordHint, providerNames } from '../../parts/sign-in/sign-in-form.tsx';

type PreviewedReset = DataOf<typeof api.auth.password.reset.preview.post>;

/**
 * The page for the reset link. The token is in the URL fragment (#), which servers never receive. The user of a
 * confirmed account chooses what else to end. The user of an unconfirmed account sees what ends, and can delete its
 * books.
 */
export default function ResetConfirm() {
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const [isRefused, setRefused] = useState(token === '');
  // The password can be set without the preview, so no options are shown if it cannot be read.
  const [preview, setPreview] = useState<PreviewedReset | null>(null);
  useEffect(() => {
    if (token === '') return;
    const read = unwrapResponse(api.auth.password.reset.preview.post({ token }));
    read.then(setPreview, (error: unknown) => setRefused(toProblem(error).code === 'invalid'));
  }, [token]);
  if (isDone) {
    const lead = 'All sessions have ended. Sign in with the new password.';
    return <Outcome title="Your new password is set" lead={lead} next={{ label: 'Sign in', href: '/sign-in' }} />;
  }
  if (isRefused) {
    const lead = 'Links work once, within 30 minutes. Nothing was changed.';
    return <UsedLink lead={lead} next={{ label: 'Request a new link', href: '/reset' }} />;
  }
  const isUnconfirmed = preview?.verified === false;
  const offered = preview === null || isUnconfirmed ? [] : listResetOptions(preview);
  const deleted = preview === null ? '' : describeDeletedBooks(preview);
  return (
    <Page title="Set a new password">
      <Form
        class="card narrow"
        fields={{
          password: {
            label: 'New password',
            type: 'password',
            autoComplete: 'new-password',
            isRequired: true,
            hint: newPasswordHint,
          },
          end: {
            label: 'All sessions end. Also end',
            type: 'checks',
            isHidden: offered.length === 0,
            options: offered,
          },
          deleteBooks: {
            label: `Delete ${deleted}`,
            type: 'check',
            isHidden: !isUnconfirmed || deleted === '',
            hint: 'Choose this if they are not yours. All files, transactions and settings are deleted for good, including those of clients that this account added.',
          },
        }}
        lead={
          isUnconfirmed && (
            <p class="notice">
              {preview.email} was never confirmed, so someone else may have created this account. All of its sessions,
              tokens, passkeys, linked accounts and authenticator apps end now, and no one else keeps access.
            </p>
          )
        }
        verb="Set password"
        busy="Please wait…"
        look="primary wide"
        onSubmit={async ({ password, ...choices }) => {
          try {
            await resetPassword(token, password, choices);
            setDone(true);
          } catch (error) {
            if (!toProblem(error).fields.some(({ pointer }) => pointer === '/token')) throw error;
            setRefused(true);
          }
        }}
      />
    </Page>
  );
}

/** The books that a reset deletes: the account's own transactions and the books of clients it created. */
function describeDeletedBooks({ transactions, clients }: PreviewedReset): string {
  const parts = [
    ...(transactions > 0 ? [formatCount(transactions, 'transaction')] : []),
    ...(clients > 0 ? [`the records of ${formatCount(clients, 'client')}`] : []),
  ];
  return parts.join(' and ');
}

function listResetOptions({ tokens, providers, grants }: PreviewedReset) {
  const options = [
    { value: 'tokens', count: tokens, label: formatCount(tokens, 'token'), means: 'Apps that use them lose access.' },
    {
      value: 'identities',
      count: providers.length,
      label: providers.map((name) => providerNames[name]).join(' and '),
      means: 'They can no longer sign in to your account.',
    },
    {
      value: 'grants',
      count: grants,
      label: `Access of ${formatCount(grants, 'other person', 'other people')}`,
      means: 'They lose access to your account, and open invitations end.',
    },
  ] as const;
  return options.filter(({ count }) => count > 0);
}
