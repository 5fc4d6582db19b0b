import { useState } from 'preact/hooks';
import { api, type ItemOf, useApi, write } from '../api/api.ts';
import { useOpenClient } from '../api/books.ts';
import { useGrants } from '../api/invitations.ts';
import { clientId } from '../api/page-url.ts';
import { day } from '../format/dates.ts';
import { ActionButton, Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, filled } from './form.tsx';
import { Card, ResourceView } from './page.tsx';

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
  const reading = useApi(`ai consents ${clientId.value}`, () => api.ai.consents.get({ query: {} }));
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
              <Button
                label={signs === 'here' ? 'Consent for a CPA' : 'Record a signed consent'}
                onClick={() => setOpen(true)}
              />
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
        <ActionButton
          label="Revoke"
          class="danger"
          aria-label={`Revoke consent for ${preparer.email}`}
          act={() => write(api.ai.consents({ id }).delete())}
          said={`Questions from ${preparer.email} no longer go to ${service}.`}
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

type AiConsentDetails = ItemOf<typeof api.ai.consents.get>;
