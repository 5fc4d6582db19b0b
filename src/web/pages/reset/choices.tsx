import type { Endable, ResetChoices } from '../../api/session.ts';
import { formatCount } from '../../format/amounts.ts';
import { providerNames } from '../../parts/sign-in/provider-buttons.tsx';
import type { PreviewedReset } from './preview.ts';

interface ResetChoicesProps {
  readonly preview: PreviewedReset;
  readonly choices: ResetChoices;
  readonly onChange: (choices: ResetChoices) => void;
}

/**
 * Options for a reset. The user of a confirmed account chooses what else to end. The user of an unconfirmed account
 * sees what ends, and can delete its books.
 */
export function ResetChoicesForm({ preview, choices, onChange }: ResetChoicesProps) {
  if (!preview.verified) {
    return (
      <>
        <p class="notice">
          {preview.email} was never confirmed, so someone else may have created this account. All of its sessions,
          tokens, passkeys, linked accounts and authenticator apps end now, and no one else keeps access.
        </p>
        {preview.transactions + preview.clients > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={choices.deleteBooks}
              onChange={({ currentTarget }) => onChange({ ...choices, deleteBooks: currentTarget.checked })}
            />
            <span>
              Delete {describeDeletedBooks(preview)}
              <span class="fine">
                Choose this if they are not yours. All files, transactions and settings are deleted for good, including
                those of clients that this account added.
              </span>
            </span>
          </label>
        )}
      </>
    );
  }
  const offered = listResetOptions(preview);
  if (offered.length === 0) return null;
  const toggle = (kind: Endable) =>
    onChange({
      ...choices,
      end: choices.end.includes(kind) ? choices.end.filter((each) => each !== kind) : [...choices.end, kind],
    });
  return (
    <fieldset class="choices">
      <legend>All sessions end. Also end</legend>
      {offered.map(({ kind, label, means }) => (
        <label key={kind} class="check">
          <input type="checkbox" checked={choices.end.includes(kind)} onChange={() => toggle(kind)} />
          <span>
            {label}
            <span class="fine">{means}</span>
          </span>
        </label>
      ))}
    </fieldset>
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
  const named = providers.map((name) => providerNames[name]).join(' and ');
  return [
    {
      kind: 'tokens' as const,
      count: tokens,
      label: formatCount(tokens, 'token'),
      means: 'Apps that use them lose access.',
    },
    {
      kind: 'identities' as const,
      count: providers.length,
      label: named,
      means: 'They can no longer sign in to your account.',
    },
    {
      kind: 'grants' as const,
      count: grants,
      label: `Access of ${formatCount(grants, 'other person', 'other people')}`,
      means: 'They lose access to your account, and open invitations end.',
    },
  ].filter(({ count }) => count > 0);
}
