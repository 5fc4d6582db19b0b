import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { dismissLine, type RejectedFileLine } from './rejected-lines.ts';

interface DismissFormProps {
  readonly line: RejectedFileLine;
  readonly onClose: () => void;
}

/** Dismisses a row with a note. */
export function DismissForm({ line: { id, line }, onClose }: DismissFormProps) {
  return (
    <Form
      class="answer"
      draft={`dismiss ${id}`}
      fields={{
        note: { label: 'Reason', isRequired: true, hint: 'For you and your preparer. Saved with the row.' },
      }}
      verb="Dismiss"
      onSubmit={async ({ note }) => {
        await dismissLine(id, note);
        say(`Line ${line} dismissed. You can still fix it under “Dismissed”.`);
      }}
      onClose={onClose}
    />
  );
}
