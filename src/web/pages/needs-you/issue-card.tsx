import { useState } from 'preact/hooks';
import { entryOfIssue } from '../../../features/help/help-links.ts';
import { to } from '../../api/acting.ts';
import { useReadOnly } from '../../api/books.ts';
import { formatCount } from '../../format/amounts.ts';
import { day, withDays } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { AnswerForm } from './answer-form.tsx';
import { FormNameAnswer } from './form-name-answer.tsx';
import { type IssueProposal, type OpenIssue, resolveIssue, takeBack } from './issues.ts';
import { kindNames } from './kind-names.ts';
import { ZoneAnswer } from './zone-answer.tsx';

interface IssueCardProps {
  readonly issue: OpenIssue;
  /** Other open items about the same transaction. Each is resolved separately. */
  readonly beside: readonly OpenIssue[];
}

/** An item to review: what is unknown, the amount affected, and the answers. */
export function IssueCard({ issue, beside }: IssueCardProps) {
  const [chosen, setChosen] = useState<IssueProposal | null>(null);
  const readOnly = useReadOnly();
  const { kind, asset, account: holder, date, dollars, detail, transactions, proposals, status, resolution } = issue;
  const shownProposals = [...proposals.filter(({ action }) => action !== 'accept'), acceptance];
  return (
    <article class="card issue">
      <header>
        <h2>
          {kindNames[kind]}
          {asset !== '' && `: ${asset}`}
        </h2>
        <p class="stake">
          {dollars === null ? <span class="badge">unknown amount</span> : <Money amount={dollars} />}
          {dollars !== null && <span class="fine"> affected</span>}
        </p>
      </header>
      <p class="fine">
        {day(date)}
        {holder !== '' && `, ${holder}`}
        {transactions.length > 0 && (
          <>
            {' · '}
            <a href={to('/transactions', { ids: transactions.slice(0, 50).join(',') })}>
              {formatCount(transactions.length, 'transaction')}
            </a>
            {status === 'open' && readOnly === null && kind !== 'tax_year_by_zone' && (
              <>
                {' · '}
                <a href={buildCorrectionLink(issue)}>Edit transaction</a>
              </>
            )}
          </>
        )}
      </p>
      <p>
        {withDays(detail)} <HelpTerm entry={entryOfIssue[kind]}>Learn more</HelpTerm>
      </p>
      {beside.map((other) => (
        <p key={other.id} class="fine">
          Same transaction: “{kindNames[other.kind]}”: {withDays(other.detail)} Resolve each one separately.
        </p>
      ))}
      {kind === 'rejected_line' && status === 'open' && (
        <p>
          <a href={to('/import/rejected')}>Edit row</a>
        </p>
      )}
      {status === 'open' ? (
        <>
          {chosen === null && (
            <ul class="answers">
              {shownProposals.length === 1 && correctable.has(kind) && readOnly === null && (
                <li>
                  <a class="button primary" href={buildCorrectionLink(issue)}>
                    What was it?
                  </a>
                  <span class="fine">
                    Open the transaction and choose its type: sale, payment, gift or your own wallet.
                  </span>
                </li>
              )}
              {shownProposals.map((proposal, at) => (
                <li key={`${proposal.action} ${proposal.with ?? proposal.importId ?? at}`}>
                  <button
                    type="button"
                    class={at === 0 && proposal !== acceptance ? 'primary' : ''}
                    onClick={() => setChosen(proposal)}
                  >
                    {describeProposal(proposal, kind)}
                  </button>
                  <span class="fine">{withDays(proposal.detail)}</span>
                </li>
              ))}
            </ul>
          )}
          {chosen !== null && isAboutZone(chosen) && <ZoneAnswer proposal={chosen} onClose={() => setChosen(null)} />}
          {chosen !== null && isAboutName(chosen) && (
            <FormNameAnswer proposal={chosen} onClose={() => setChosen(null)} />
          )}
          {chosen !== null && !isAboutName(chosen) && !isAboutZone(chosen) && (
            <AnswerForm issue={issue} proposal={chosen} onClose={() => setChosen(null)} />
          )}
        </>
      ) : (
        <div class="actions">
          <span class="fine">
            {status === 'accepted' ? 'Kept' : 'Resolved'}
            {resolution !== null && resolution.note !== '' && `: ${resolution.note}`}
          </span>
          {resolution !== null && (
            <OwnBooks>
              <button type="button" onClick={() => reopen(issue).catch(sayProblem)}>
                Reopen
              </button>
            </OwnBooks>
          )}
        </div>
      )}
    </article>
  );
}

/** Kinds that are resolved by correcting the transaction, if there is no proposal. */
const correctable: ReadonlySet<OpenIssue['kind']> = new Set<OpenIssue['kind']>(['transfer_unpaired']);

/** The transaction's edit form, which leads back here. */
function buildCorrectionLink({ transactions }: OpenIssue): string {
  return to('/transactions', { open: transactions[0], edit: 'yes', back: 'questions' });
}

const acceptance: IssueProposal = { action: 'accept', detail: 'Keep it and note why.' };

const verbs: Readonly<Record<IssueProposal['action'], string>> = {
  basis: 'Enter cost basis',
  pair: 'Match',
  value: 'Enter value',
  class: 'Choose asset class',
  price: 'Enter price',
  replace: 'Replace the row',
  add: 'Keep both',
  zone: 'Choose your time zone',
  zone_of_import: "Choose the file's time zone",
  form_name: 'Same security',
  same_asset: 'Same security',
  accept: 'Keep anyway',
};

function isAboutName({ action }: IssueProposal): boolean {
  return action === 'form_name' || action === 'same_asset';
}

function describeProposal({ action, asset, formNameOf }: IssueProposal, kind: OpenIssue['kind']): string {
  if (action === 'accept' && kind === 'same_security') return 'Two securities';
  return action === 'form_name' && formNameOf === asset ? 'Two securities' : verbs[action];
}

function isAboutZone({ action }: IssueProposal): boolean {
  return action === 'zone' || action === 'zone_of_import';
}

async function reopen({ id, resolution }: OpenIssue): Promise<void> {
  await takeBack(id);
  if (resolution === null) return;
  const { action, note } = resolution;
  // Reopening an accepted item can be undone with one click. Other answers must be entered again.
  const again = action === 'accept' ? async () => void (await resolveIssue(id, { action, note })) : null;
  say('Reopened.', again);
}
