import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged, write } from '../../api/changes.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { formatCount } from '../../format/amounts.ts';
import { Form } from '../../parts/form.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Points } from './points.tsx';

const namedBy: Readonly<Record<ImportedFile['accounts'][number]['by'], string>> = {
  row: 'named in its rows',
  section: 'named between its rows',
  title: 'named above its table',
  file_name: 'named by the file name',
  request: 'named by you',
  source: 'not named in the file',
};

const accountsShown = 6;

/** The accounts in a file's rows, and how the file names each. */
export function ImportAccounts({ result: { accounts } }: { readonly result: ImportedFile }) {
  return (
    <Points
      items={[
        ...accounts.slice(0, accountsShown).map(({ account, by, rows }) => (
          <>
            <strong>{account}</strong>, {namedBy[by]}: {formatCount(rows, 'row')}
          </>
        )),
        accounts.length > accountsShown && formatCount(accounts.length - accountsShown, 'more account'),
      ]}
    />
  );
}

/** Offers to assign rows from earlier files to the account that this file names. */
export function AccountOffers({ result, isReadOnly }: { readonly result: ImportedFile; readonly isReadOnly: boolean }) {
  const { act, problem, isBusy } = useAction();

  if (result.accountOffers.length === 0) return null;
  const assign = async () => {
    const { edits, left } = await write(api.imports({ id: result.id })['assign-accounts'].post());
    const rows = edits.reduce((sum, edit) => sum + edit.rows, 0);
    say(`${formatCount(rows, 'row')} assigned.${left > 0 ? ` ${formatCount(left, 'row')} left: assign again.` : ''}`);
  };
  return (
    <section class="card">
      <h2>Assign earlier rows to an account</h2>
      <p>You imported these rows before we knew their account. This file contains them too and names the account.</p>
      <Points
        items={result.accountOffers.map(({ from, to, rows }) => (
          <>
            {formatCount(rows, 'row')} from <strong>{from}</strong> to <strong>{to}</strong>
          </>
        ))}
      />
      {problem !== null && <ProblemNotice problem={problem} />}
      {!isReadOnly && (
        <p class="actions">
          <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void act(assign)}>
            Assign rows
          </button>
        </p>
      )}
    </section>
  );
}

/** Asks once whether two files without an account name belong to the same account. */
export function AccountQuestions({
  result,
  isReadOnly,
}: {
  readonly result: ImportedFile;
  readonly isReadOnly: boolean;
}) {
  const { id, accountQuestions } = result;
  const key = accountQuestions > 0 ? `account questions ${id}` : null;
  const reading = useResource(key, () =>
    unwrapResponse(api.imports['account-questions'].get({ query: { importId: id } })),
  );
  return (
    <>
      {(reading.data?.data ?? []).map((question) => (
        <AccountQuestionCard key={question.id} question={question} isReadOnly={isReadOnly} />
      ))}
    </>
  );
}

interface AccountQuestionCardProps {
  readonly question: {
    readonly id: string;
    readonly account: string;
    readonly otherAccount: string;
    readonly importId: string;
    readonly detail: string;
  };
  readonly isReadOnly: boolean;
}

function AccountQuestionCard({ question, isReadOnly }: AccountQuestionCardProps) {
  const { route } = useLocation();
  const { act, problem, isBusy } = useAction();
  const { account, otherAccount, importId } = question;
  const keep = async () => {
    await write(api.imports['account-questions']({ id: question.id }).delete());
    say(`The rows stay in ${account}.`);
  };
  return (
    <section class="card">
      <h2>One account or two?</h2>
      <p>{question.detail}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      {!isReadOnly && (
        <Form
          fields={{
            name: {
              label: `Account for the rows in ${account}`,
              value: account === otherAccount ? '' : otherAccount,
              placeholder: 'Roth IRA',
              isRequired: true,
            },
          }}
          verb="Move to this account"
          isReady={({ name }) => name.trim() !== ''}
          onSubmit={async ({ name: typed }) => {
            const name = typed.trim();
            const reread = api.imports({ id: importId }).reread.post({ apply: true, account: name });
            const { import: moved } = await unwrapResponse(reread);
            route(to(`/import/${moved.id}`), true);
            booksChanged();
            say(`The rows are now in ${name}.`);
          }}
          actions={
            <button type="button" aria-disabled={isBusy} onClick={() => void act(keep)}>
              Keep them in {account}
            </button>
          }
        />
      )}
    </section>
  );
}
