import { useState } from 'preact/hooks';
import { endGrant, type GrantAnswer, useGrants } from '../../api/invitations.ts';
import { moment } from '../../format/dates.ts';
import { roleWords } from '../../format/roles.ts';
import { Icon } from '../../parts/icon.tsx';
import { InviteForm } from '../../parts/invitations/invite-form.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

/** Who sees the user's books beside themselves, each with its end. */
export function Grants() {
  const [isInviting, setInviting] = useState(false);
  const reading = useGrants();
  return (
    <section class="card" aria-labelledby="grants">
      <h2 id="grants">Who may see your books</h2>
      <ResourceView reading={reading}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <p>Nobody but you. A CPA gets in when you accept an invitation, or when you let them in here.</p>
            ) : (
              <ul class="access">
                {data.map((grant) => (
                  <GrantItem key={grant.id} grant={grant} />
                ))}
              </ul>
            )}
            <button type="button" onClick={() => setInviting(true)}>
              <Icon name="add" /> Let a CPA in
            </button>
            {isInviting && <InviteForm purpose={{ kind: 'offer', grants: data }} onClose={() => setInviting(false)} />}
          </>
        )}
      </ResourceView>
    </section>
  );
}

function GrantItem({ grant: { id, email, name, role, since } }: { readonly grant: GrantAnswer }) {
  const end = async () => {
    await endGrant(id);
    say(`${email} sees your books no more.`);
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
      <button
        type="button"
        class="danger"
        aria-label={`End access of ${email}`}
        onClick={() => end().catch(sayProblem)}
      >
        End access
      </button>
    </li>
  );
}
