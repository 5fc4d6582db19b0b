import { Icon } from '../../parts/icon.tsx';

interface RemoveButtonProps {
  /** What is removed, as a screen reader says it: "the price of BTC on 3 May 2024". */
  readonly of: string;
  readonly onRemove: () => void;
}

/** The button at the end of a row that removes it. */
export function RemoveButton({ of, onRemove }: RemoveButtonProps) {
  return (
    <button type="button" class="plain" aria-label={`Remove ${of}`} onClick={onRemove}>
      <Icon name="remove" />
    </button>
  );
}
