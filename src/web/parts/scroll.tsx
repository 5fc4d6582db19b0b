import type { ComponentChildren } from 'preact';

interface ScrollProps {
  /** A description for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A wide table that scrolls separately. It is focusable so that the keyboard can scroll it too (WCAG 2.1.1). */
export function Scroll({ label, children }: ScrollProps) {
  // A group rather than a landmark because a page has many.
  const focusable = { role: 'group', tabIndex: 0, 'aria-label': label } as const;
  return (
    <div class="scroll" {...focusable}>
      {children}
    </div>
  );
}
