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

/** Sets a line aside, with a note that says why. */
export function DismissForm({ line: { id, line }, onClose }: DismissFormProps) {
  const [{ note }, setNote, forget] = useDraft(`dismiss ${id}`, { note: '' });
  const { problem, isBusy, submit } = useSubmission();
  const dismiss = async () => {
    await dismissLine(id, note);
    forget();
    say(`Line ${line} is set aside. It stands under “Set aside”, and can be mended there.`);
  };
  return (
    <form class="answer" onSubmit={submit(dismiss)}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label="Why it does not matter"
          value={note}
          onInput={(text) => setNote({ note: text })}
          isRequired
          hint="For you and your preparer: it stays with the line."
        />
      </div>
      <FormActions verb="Set it aside" isBusy={isBusy} onClose={onClose} />
    </form>
  );
}
