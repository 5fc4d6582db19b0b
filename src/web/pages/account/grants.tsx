import { useState } from 'preact/hooks';
import { changeGrant, endGrant, type GrantDetails, useGrants } from '../../api/invitations.ts';
import { moment } from '../../format/dates.ts';
import { roleWords } from '../../format/roles.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/field.tsx';
import { InviteForm } from '../../parts/invitations/invite-form.tsx';
import { Card } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

/** The people with access to the user's own books, each with a button to remove it. */
export function Grants() {
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
