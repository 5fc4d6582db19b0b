import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../api/api.ts';
import { useOpenClient } from '../api/books.ts';
import { write } from '../api/changes.ts';
import { useGrants } from '../api/invitations.ts';
import { clientId } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { day } from '../format/dates.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, filled } from './form.tsx';
import { Card } from './page.tsx';
import { ResourceView } from './resource-view.tsx';
import { say, sayProblem } from './toasts.tsx';

/** The owner's consents, on the account page. Renders nothing if the server has no AI service and never had one. */
export function OwnerAiConsents() {
  const grants = useGrants().data?.data ?? [];
  const preparers = grants.map(({ id, email }) => ({ value: id, label: email }));
  return <AiConsents signs="here" mayChange preparers={preparers} />;
}

/** The consents in a client's books. Only the CPA of a client without an account can change them. */
export function ClientAiConsents() {
  const role = useOpenClient().data?.role;
  return role === undefined ? null : <AiConsents signs="on paper" mayChange={role === 'manager'} preparers={[]} />;
}

interface AiConsentsProps {
  readonly signs: 'here' | 'on paper';
  readonly mayChange: boolean;
  readonly preparers: readonly { readonly value: string; readonly label: string }[];
}

function AiConsents({ signs, mayChange, preparers }: AiConsentsProps) {
  const [isOpen, setOpen] = useState(false);
  const reading = useAiConsents();
  if (reading.data?.service === null && reading.data.data.length === 0) return null;
  const mayAdd = mayChange && (signs === 'on paper' || preparers.length > 0);
  return (
    <Card id="ai-consents" title="Consent to the AI service">
      <ResourceView reading={reading}>
        {({ service, purpose, statements, data }) => (
          <>
            <p>
              {signs === 'here'
                ? 'When a CPA asks the assistant about your records, nothing goes to the AI service unless you consent. Your own questions need no consent.'
                : "Without the client's consent (IRC 7216), your questions are answered without the AI service, from the client's records alone."}
              {signs === 'on paper' && !mayChange && ' The client consents on their account page.'}
              {signs === 'here' && preparers.length === 0 && ' No CPA has access to your account.'}
            </p>
            {data.length > 0 && (
              <ul class="access">
                {data.map((consent) => (
                  <ConsentItem key={consent.id} consent={consent} mayRevoke={mayChange} />
                ))}
              </ul>
            )}
            {mayAdd && service !== null && (
              <button type="button" onClick={() => setOpen(true)}>
                {signs === 'here' ? 'Consent for a CPA' : 'Record a signed consent'}
              </button>
            )}
            {isOpen && service !== null && (
              <Dialog title={`Consent to ${service}`} onClose={() => setOpen(false)}>
                <ConsentForm
                  signs={signs}
                  preparers={preparers}
                  texts={[purpose, ...statements]}
                  onClose={() => setOpen(false)}
                />
              </Dialog>
            )}
          </>
        )}
      </ResourceView>
    </Card>
  );
}

function ConsentItem({ consent, mayRevoke }: { readonly consent: AiConsentDetails; readonly mayRevoke: boolean }) {
  const { id, preparer, service, signer, signedOn, expiresOn, method, isInEffect, revokedAt } = consent;
  const revoke = async () => {
    await write(api.ai.consents({ id }).delete());
    say(`Questions from ${preparer.email} no longer go to ${service}.`);
  };
  const state =
    revokedAt !== null ? 'Revoked.' : isInEffect ? `In effect until ${day(expiresOn)}.` : 'No longer in effect.';
  return (
    <li>
      <div>
        <p>
          <strong>{preparer.email}</strong>, {service}
        </p>
        <p class="fine">
          Signed{method === 'on_paper' ? ' on paper' : ''} by {signer} on {day(signedOn)}. {state}
        </p>
      </div>
      {mayRevoke && revokedAt === null && (
        <Button
          label="Revoke"
          class="danger"
          aria-label={`Revoke consent for ${preparer.email}`}
          onClick={() => revoke().catch(sayProblem)}
        />
      )}
    </li>
  );
}

interface ConsentFormProps extends Pick<AiConsentsProps, 'signs' | 'preparers'> {
  readonly texts: readonly string[];
  readonly onClose: () => void;
}

function ConsentForm({ signs, preparers, texts, onClose }: ConsentFormProps) {
  const isHere = signs === 'here';
  return (
    <Form
      lead={texts.map((text) => <p key={text}>{text}</p>)}
      fields={{
        preparer: { label: 'CPA', options: preparers, isHidden: !isHere },
        signer: { label: isHere ? 'Your full name, as your signature' : "Signer's name", isRequired: true },
        signedOn: { label: 'Signed on', type: 'date', isRequired: true, isHidden: isHere },
        expiresOn: {
          label: 'Valid until (optional)',
          type: 'date',
          hint: 'Leave blank for one year after the signature.',
        },
      }}
      verb={isHere ? 'I consent' : 'Record consent'}
      onSubmit={async ({ signer, preparer, signedOn, expiresOn }) => {
        const signed = isHere ? { preparer } : { signedOn };
        await write(api.ai.consents.post({ signer, ...signed, ...filled({ expiresOn }) }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

const readAiConsents = () => unwrapResponse(api.ai.consents.get({ query: {} }));

type AiConsentDetails = Awaited<ReturnType<typeof readAiConsents>>['data'][number];

/** Consents for the open books. */
const useAiConsents = () => useResource(`ai consents ${clientId.value}`, readAiConsents);
