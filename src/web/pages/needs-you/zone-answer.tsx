import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { clientId } from '../../api/page-url.ts';
import { changeAccount } from '../../api/session.ts';
import { browserTimeZone, withDays } from '../../format/dates.ts';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import type { IssueProposal } from './issues.ts';

interface ZoneAnswerProps {
  readonly proposal: IssueProposal;
  readonly onClose: () => void;
}

/** Asks for the time zone of the taxpayer, or of one import whose file uses another zone. */
export function ZoneAnswer({ proposal, onClose }: ZoneAnswerProps) {
  const { importId } = proposal;
  const [zone, setZone] = useState(importId === undefined ? browserTimeZone() : '');
  const [tried, setTried] = useState<readonly PreviewedYear[] | null>(null);
  const { act, problem, isBusy, problemOfField } = useAction();
  const isTried = importId === undefined || tried !== null;
  const save = async () => {
    if (importId === undefined) say('Time zone saved.', await stateZone(zone));
    else {
      await rereadImport(importId, zone, true);
      booksChanged();
      say("The file's time zone is saved.");
    }
  };
  const look = async () => setTried(importId === undefined ? null : (await rereadImport(importId, zone, false)).years);
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (zone !== '') void act(isTried ? save : look);
      }}
    >
      <p>{withDays(proposal.detail)}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <TimeZoneField
          label={
            importId !== undefined
              ? 'Time zone of the file'
              : clientId.value === null
                ? 'Your time zone'
                : "Client's time zone"
          }
          value={zone}
          onInput={(chosen) => {
            setTried(null);
            setZone(chosen);
          }}
          problem={problemOfField('timeZone')}
        />
      </div>
      {tried !== null && (
        <div role="status">
          <YearsPreview years={tried} />
        </div>
      )}
      <FormActions verb={isTried ? 'Save' : 'Preview'} isBusy={isBusy} onClose={onClose} keeps={isTried} />
    </form>
  );
}

/** Saves the time zone of the user, or of the client whose books are open. Returns a function that undoes it. */
async function stateZone(timeZone: string): Promise<() => Promise<void>> {
  const client = clientId.value;
  if (client === null) {
    const undo = await changeAccount({ timeZone });
    booksChanged();
    return async () => {
      await undo();
      booksChanged();
    };
  }
  await unwrapResponse(api.clients({ id: client }).patch({ timeZone }));
  booksChanged();
  return async () => {
    await unwrapResponse(api.clients({ id: client }).patch({ timeZone: null }));
    booksChanged();
  };
}

function rereadImport(id: string, timeZone: string, apply: boolean) {
  return unwrapResponse(api.imports({ id }).reread.post({ apply, timeZone }));
}
