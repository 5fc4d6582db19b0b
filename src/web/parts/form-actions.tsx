import { OwnBooks } from './own-books.tsx';

interface FormActionsProps {
  /** What sending does: `Set it aside`. */
  readonly verb: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  /** It changes the books: the demo books are left as they are. */
  readonly keeps?: boolean;
}

/** The foot of a form that can be left as it is. */
export function FormActions({ verb, isBusy = false, onClose, keeps = false }: FormActionsProps) {
  const submit = (
    <button type="submit" class="primary" disabled={isBusy}>
      {verb}
    </button>
  );
  return (
    <p class="actions">
      {keeps ? <OwnBooks isSaid>{submit}</OwnBooks> : submit}
      <button type="button" onClick={onClose}>
        Not now
      </button>
    </p>
  );
}
