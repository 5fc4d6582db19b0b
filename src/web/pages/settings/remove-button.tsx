import { Icon } from '../../parts/icon.tsx';

interface RemoveButtonProps {
  /** The item to remove, as a screen reader announces it: "the price of BTC on May 3, 2024". */
  readonly of: string;
  readonly onRemove: () => void;
}

/** The remove button at the end of a row. */
export function RemoveButton({ of, onRemove }: RemoveButtonProps) {
  return (
    <button type="button" class="plain" aria-label={`Remove ${of}`} onClick={onRemove}>
      <Icon name="remove" />
    </button>
  );
}
