import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface ScrollProps {
  /** A description for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * A table. If it is too wide for the page, it scrolls separately, and can get the focus so that the keyboard can scroll
 * it (WCAG 2.1.1). Otherwise its head can stay in view while the page scrolls.
 */
export function Scroll({ label, children }: ScrollProps) {
  const box = useRef<HTMLDivElement>(null);
  /** Null until the table is measured. */
  const [isWide, setWide] = useState<boolean | null>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWide(current.scrollWidth > current.clientWidth));
    for (const each of [current, ...current.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  // A group rather than a landmark because a page has many.
  const group = { role: 'group', 'aria-label': label, ...(isWide ? { tabIndex: 0 } : {}) } as const;
  return (
    <div ref={box} class={isWide === false ? 'scroll fits' : 'scroll'} {...group}>
      {children}
    </div>
  );
}
