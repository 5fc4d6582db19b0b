import type { ComponentChildren } from 'preact';

interface ScrollProps {
  /** What is in it, for who cannot see it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A wide table that scrolls by itself. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    <section class="scroll" aria-label={label} {...scrolledByKeyboard}>
      {children}
    </section>
  );
}

/** WCAG 2.1.1: what scrolls and holds nothing that takes the focus takes it itself. */
const scrolledByKeyboard = { tabIndex: 0 } as const;
