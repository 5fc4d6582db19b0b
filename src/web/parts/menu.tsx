import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from './button.tsx';

interface MenuProps {
  /** The button's text. */
  readonly button: ComponentChildren;
  readonly class: string;
  /** The button's accessible name, unless it is its text. */
  readonly label?: string;
  /** Gets a function that closes the panel and returns the focus to the button. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a panel. Arrow keys move in it, and Escape, a click outside or another page closes it. */
export function Menu({ button, class: name, label, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { url } = useLocation();
  const close = () => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  useEffect(() => setOpen(false), [url]);
  // Before the panel is drawn, so that the next key already moves in it.
  useLayoutEffect(() => {
    const { current } = box;
    if (!isOpen || current === null) return;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !current.contains(target)) setOpen(false);
    };
    const move = (event: KeyboardEvent) => {
      const all = [...current.querySelectorAll<HTMLElement>('button, a, input')];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === 'Escape') close();
      else if (step !== undefined) {
        const next = all.indexOf(document.activeElement as HTMLElement) + step;
        all[(next + all.length) % all.length]?.focus();
      } else return;
      event.preventDefault();
    };
    current.addEventListener('keydown', move);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      current.removeEventListener('keydown', move);
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  return (
    <div ref={box} class={`menu ${name}`}>
      <Button label={button} aria-label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {isOpen && <div class="menu-panel">{children(close)}</div>}
    </div>
  );
}
