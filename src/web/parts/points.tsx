import type { ComponentChildren } from 'preact';

interface PointsProps {
  /** Folds the list under this heading. */
  readonly title?: string;
  readonly isOpen?: boolean;
  /** Items that are false are left out. */
  readonly items: readonly ComponentChildren[];
}

/** A list of short facts. Renders nothing if it is empty. */
export function Points({ title, isOpen = false, items }: PointsProps) {
  const shown = items.filter((item) => item !== false);
  if (shown.length === 0) return null;
  const list = (
    <ul class="points">
      {shown.map((item, at) => (
        <li key={at}>{item}</li>
      ))}
    </ul>
  );
  if (title === undefined) return list;
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      {list}
    </details>
  );
}
