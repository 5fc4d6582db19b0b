import { counted } from '../../format/amounts.ts';
import { providerNames } from '../../parts/sign-in/provider-buttons.tsx';
import type { PreviewedReset } from './preview.ts';

/** What ends with the old password, beside the sessions. */
export interface ResetChoices {
  readonly end: readonly Endable[];
  readonly deleteBooks: boolean;
}
export type Endable = 'tokens' | 'identities' | 'grants';

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
        {preview.transactions > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={choices.deleteBooks}
              onChange={({ currentTarget }) => onChange({ ...choices, deleteBooks: currentTarget.checked })}
            />
            <span>
              Delete {counted(preview.transactions, 'transaction')}
              <span class="fine">If you did not import them: all files, transactions and settings go, for good.</span>
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
