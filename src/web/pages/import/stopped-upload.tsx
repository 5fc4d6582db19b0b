import { useFormats } from '../../api/formats.ts';
import { to } from '../../api/page-url.ts';
import type { Problem } from '../../api/problem.ts';
import { type FileUpload, removeUpload, sendAgain } from '../../api/uploads.ts';
import { Choice } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { FileQuestionForm } from './file-question-form.tsx';
import { toFileQuestion } from './readings.ts';
import { findProposal } from './wizard/mapping-answers.ts';
import { MappingWizard } from './wizard/mapping-wizard.tsx';

interface StoppedUploadProps {
  readonly upload: FileUpload;
  readonly problem: Problem;
}

/** Why a file was not imported, and what to do next. */
export function StoppedUpload({ upload, problem }: StoppedUploadProps) {
  if (problem.code === 'plan_limit') return <PlanLimitReached upload={upload} problem={problem} />;
  const proposal = findProposal(problem);
  if (proposal !== null) return <MappingWizard upload={upload} proposal={proposal} />;
  const question = toFileQuestion(problem);
  if (question !== null) return <FileQuestionForm upload={upload} question={question} />;
  return (
    <>
      {problem.code !== 'aborted' && <ProblemNotice problem={problem} />}
      {problem.code === 'unknown_format' && <FormatChoice upload={upload} />}
      <StoppedActions upload={upload} />
    </>
  );
}

/** Whether the file only needs an answer from the user. */
export function asksOwner(problem: Problem): boolean {
  return findProposal(problem) !== null || toFileQuestion(problem) !== null;
}

/** Asks for the source of a file in which no table was found. */
function FormatChoice({ upload: { id, options } }: Pick<StoppedUploadProps, 'upload'>) {
  const formats = useFormats().data?.data ?? [];
  return (
    <div class="fields">
      <Choice
        label="File type"
        value=""
        options={[
          { value: '', label: 'Choose a source…' },
          ...formats.map((one) => ({ value: one.id, label: one.name })),
        ]}
        onChange={(format) => sendAgain(id, { ...options, format })}
        hint="Know where it's from? Pick it. Otherwise, make sure the first row has column names."
      />
    </div>
  );
}

function StoppedActions({ upload: { id } }: Pick<StoppedUploadProps, 'upload'>) {
  return (
    <p class="actions">
      <button type="button" onClick={() => sendAgain(id)}>
        Try again
      </button>
      <button type="button" class="plain" onClick={() => removeUpload(id)}>
        Dismiss
      </button>
    </p>
  );
}

/** Shown if the file exceeds a limit of the plan, until its preview is here. */
function PlanLimitReached({ upload: { id }, problem }: StoppedUploadProps) {
  return (
    <>
      <ProblemNotice problem={problem} />
      <p class="actions">
        <a class="button primary" href={to('/account/plan')}>
          See plans
        </a>
        <button type="button" onClick={() => sendAgain(id, undefined, true)}>
          Preview
        </button>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          Dismiss
        </button>
      </p>
    </>
  );
}
