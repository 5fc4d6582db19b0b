import type { ComponentChildren } from 'preact';

interface ScrollProps {
  /** What is in it, for who cannot see it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A wide table that scrolls by itself. WCAG 2.1.1: it takes the focus, so that the keyboard scrolls it too. */
export function Scroll({ label, children }: ScrollProps) {
  // A group and no landmark: a page has many.
  const focusable = { role: 'group', tabIndex: 0, 'aria-label': label } as const;
  return (
    <div class="scroll" {...focusable}>
      {children}
    </div>
  );
}
