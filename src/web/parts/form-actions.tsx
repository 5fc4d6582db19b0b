import { OwnBooks } from './own-books.tsx';

interface FormActionsProps {
  /** The text of the submit button: `Dismiss`. */
  readonly verb: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  /** Whether submitting changes the books, which is not allowed in read-only ones. */
  readonly keeps?: boolean;
}

/** The buttons at the end of a form: submit and cancel. */
export function FormActions({ verb, isBusy = false, onClose, keeps = false }: FormActionsProps) {
  const submit = (
    <button type="submit" class="primary" aria-disabled={isBusy}>
      {verb}
    </button>
  );
  return (
    <p class="actions">
      {keeps ? <OwnBooks isSaid>{submit}</OwnBooks> : submit}
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </p>
  );
}
