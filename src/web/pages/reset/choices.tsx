import type { Endable, ResetChoices } from '../../api/session.ts';
import { counted } from '../../format/amounts.ts';
import { providerNames } from '../../parts/sign-in/provider-buttons.tsx';
import type { PreviewedReset } from './preview.ts';

interface ResetChoicesProps {
  readonly preview: PreviewedReset;
  readonly choices: ResetChoices;
  readonly onChange: (choices: ResetChoices) => void;
}

/** For a confirmed account: what may end as well. For another one: what ends, and whether its books go. */
export function ResetChoicesForm({ preview, choices, onChange }: ResetChoicesProps) {
  if (!preview.verified) {
    return (
      <>
        <p class="notice">
          Nobody has confirmed {preview.email} so far, so somebody else may have made this account. Every session,
          token, passkey, linked account and authenticator app of it ends now, and nobody else sees its books any more.
        </p>
        {preview.transactions + preview.clients > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={choices.deleteBooks}
              onChange={({ currentTarget }) => onChange({ ...choices, deleteBooks: currentTarget.checked })}
            />
            <span>
              Delete {booksIn(preview)}
              <span class="fine">
                Choose this if they are not yours. All files, transactions and settings are deleted for good, also those
                in the books of clients that this account added.
              </span>
            </span>
          </label>
        )}
      </>
    );
  }
  const offered = offersOf(preview);
  if (offered.length === 0) return null;
  const turn = (kind: Endable) =>
    onChange({
      ...choices,
      end: choices.end.includes(kind) ? choices.end.filter((each) => each !== kind) : [...choices.end, kind],
    });
  return (
    <fieldset class="choices">
      <legend>All sessions end. Also end</legend>
      {offered.map(({ kind, label, means }) => (
        <label key={kind} class="check">
          <input type="checkbox" checked={choices.end.includes(kind)} onChange={() => turn(kind)} />
          <span>
            {label}
            <span class="fine">{means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What a reset deletes with the books: the account's own transactions and the client books that it made. */
function booksIn({ transactions, clients }: PreviewedReset): string {
  const parts = [
    ...(transactions > 0 ? [counted(transactions, 'transaction')] : []),
    ...(clients > 0 ? [`the books of ${counted(clients, 'client')}`] : []),
  ];
  return parts.join(' and ');
}

function offersOf({ tokens, providers, grants }: PreviewedReset) {
  const named = providers.map((name) => providerNames[name]).join(' and ');
  return [
    {
      kind: 'tokens' as const,
      count: tokens,
      label: counted(tokens, 'token'),
      means: 'Programs that work for you stop.',
    },
    {
      kind: 'identities' as const,
      count: providers.length,
      label: named,
      means: 'Accounts there do not sign you in any more.',
    },
    {
      kind: 'grants' as const,
      count: grants,
      label: `Access of ${counted(grants, 'other person', 'other people')}`,
      means: 'They do not see your books any more, and open invitations end.',
    },
  ].filter(({ count }) => count > 0);
}
