interface FormActionsProps {
  /** What sending does: `Set it aside`. */
  readonly verb: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
}

/** The foot of a form that can be left as it is. */
export function FormActions({ verb, isBusy = false, onClose }: FormActionsProps) {
  return (
    <p class="actions">
      <button type="submit" class="primary" disabled={isBusy}>
        {verb}
      </button>
      <button type="button" onClick={onClose}>
        Not now
      </button>
    </p>
  );
}
