import { useDraft } from '../../api/draft.ts';
import { Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { dismissLine, type RejectedFileLine } from './rejected-lines.ts';
import { useSubmission } from './submission.ts';

interface DismissFormProps {
  readonly line: RejectedFileLine;
  readonly onClose: () => void;
}

/** Dismisses a row with a note. */
export function DismissForm({ line: { id, line }, onClose }: DismissFormProps) {
  const [{ note }, setNote, forget] = useDraft(`dismiss ${id}`, { note: '' });
  const { problem, isBusy, submit } = useSubmission();
  const dismiss = async () => {
    await dismissLine(id, note);
    forget();
    say(`Line ${line} dismissed. You can still fix it under “Dismissed”.`);
  };
  return (
    <form class="answer" onSubmit={submit(dismiss)}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label="Reason"
          value={note}
          onInput={(text) => setNote({ note: text })}
          isRequired
          hint="For you and your preparer. Saved with the row."
        />
      </div>
      <FormActions verb="Dismiss" isBusy={isBusy} onClose={onClose} />
    </form>
  );
}
