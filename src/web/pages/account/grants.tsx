import { useState } from 'preact/hooks';
import { changeGrant, endGrant, type GrantDetails, useGrants } from '../../api/invitations.ts';
import { moment } from '../../format/dates.ts';
import { roleWords } from '../../format/roles.ts';
import { Choice } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { InviteForm } from '../../parts/invitations/invite-form.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

/** The people with access to the user's own books, each with a button to remove it. */
export function Grants() {
  const [isInviting, setInviting] = useState(false);
  const reading = useGrants();
  return (
    <section class="card" aria-labelledby="grants">
      <h2 id="grants">Shared access</h2>
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
            <button type="button" onClick={() => setInviting(true)}>
              <Icon name="add" /> Invite a CPA
            </button>
            {isInviting && <InviteForm purpose={{ kind: 'offer', grants: data }} onClose={() => setInviting(false)} />}
          </>
        )}
      </ResourceView>
    </section>
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
      <button
        type="button"
        class="danger"
        aria-label={`Remove access for ${email}`}
        onClick={() => end().catch(sayProblem)}
      >
        Remove access
      </button>
    </li>
  );
}
