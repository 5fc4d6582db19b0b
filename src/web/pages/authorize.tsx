import { api, type DataOf, unwrapResponse, useResource } from '../api/api.ts';
import { search } from '../api/page-url.ts';
import { account } from '../api/session.ts';
import { LinkButton } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { Page, ProblemNotice, Waiting } from '../parts/page.tsx';
import { programScopes, useClientNames } from '../parts/programs.ts';
import { NoAccount, Unverified } from './account/unverified.tsx';

type ProgramConnectionDetails = DataOf<typeof api.auth.programs.preview.post>;
type ProgramConnectionRequest = NonNullable<Parameters<typeof api.auth.programs.preview.post>[0]>;

/** The page where a program sends its user to be connected by OAuth. It names the program and asks what it may do. */
export default function Authorize() {
  const request = readRequest(new URLSearchParams(search.value));
  const isEmpty = request.client_id === '';
  const { data, problem } = useResource(isEmpty ? null : `authorization ${search.value}`, () =>
    unwrapResponse(api.auth.programs.preview.post(request)),
  );
  if (account.value?.demo) return <NoAccount title={title} />;
  const redirectTo = problem?.members.redirectTo;
  return (
    <Page title={title} lead={`Signed in as ${account.value?.email}.`}>
      <Unverified />
      {problem !== null && <ProblemNotice problem={problem} />}
      {typeof redirectTo === 'string' && (
        <p class="actions">
          <LinkButton label="Back to the program" href={redirectTo} />
        </p>
      )}
      {isEmpty && <p>A program opens this page when you connect it to Lotbook. Begin in the program.</p>}
      {!isEmpty && data === undefined && problem === null && <Waiting />}
      {data !== undefined && <Consent request={request} preview={data} />}
    </Page>
  );
}

const title = 'Connect a program';

/** Reads the parameters of the request from the address. Others are ignored (OAuth 2.1, section 4.1.1). */
function readRequest(parameters: URLSearchParams): ProgramConnectionRequest {
  const values = parameterNames.map((name) => [name, parameters.get(name)] as const);
  const sent = Object.fromEntries(values.filter(([, value]) => value !== null));
  return { client_id: '', redirect_uri: '', ...sent };
}

const parameterNames = [
  ...(['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'] as const),
  ...(['scope', 'state', 'resource'] as const),
] satisfies (keyof ProgramConnectionRequest)[];

interface ConsentProps {
  readonly request: ProgramConnectionRequest;
  readonly preview: ProgramConnectionDetails;
}

function Consent({ request, preview: { name, redirectHost, isLocal, scopes, declineUrl } }: ConsentProps) {
  const clients = useClientNames();
  return (
    <Form
      class="card"
      title={`“${name}” asks for access`}
      lead={
        <>
          <p>
            This is the name that the program gave itself. Lotbook has not verified it. Continue only if you just
            started this in that program.
          </p>
          <dl class="terms">
            <dt>Sends you to</dt>
            <dd>
              <strong>{redirectHost}</strong>
              {isLocal && ' (a program on this computer)'}
            </dd>
            <dt>Ends</dt>
            <dd>When you disconnect it, or after 90 days without use</dd>
          </dl>
        </>
      }
      fields={{
        client: {
          label: 'Books',
          options: [
            { value: '', label: 'Your own' },
            ...clients.map((client) => ({ value: client.id, label: client.name })),
          ],
          isHidden: clients.length === 0,
          hint: 'A client may have to consent before you send their data to an AI service (26 CFR 301.7216-3).',
        },
        scopes: {
          label: 'The program may',
          type: 'checks',
          options: programScopes.filter(({ value }) => scopes.includes(value)),
          value: scopes,
        },
      }}
      verb="Connect"
      busy="Connecting…"
      draft={null}
      isReady={(values) => values.scopes.length > 0}
      onSubmit={async ({ client, scopes: allowed }) => {
        const consent = { request, scopes: [...allowed], client: client || null };
        location.assign((await unwrapResponse(api.auth.programs.post(consent))).redirectTo);
      }}
      actions={<LinkButton label="Cancel" href={declineUrl} />}
    >
      <p class="fine">
        What the program reads goes wherever the program sends it, such as to the provider of its AI model. It never
        gets your password, and cannot change your account.
      </p>
    </Form>
  );
}
