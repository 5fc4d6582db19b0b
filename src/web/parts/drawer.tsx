import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BooksStrip } from './books-banner.tsx';
import { Icon } from './icon.tsx';

interface DrawerProps {
  readonly title: ComponentChildren;
  /** What a screen reader calls it. */
  readonly label: string;
  /** What it shows. Whenever that changes, the focus goes to its first field, else to its title. */
  readonly shows?: string;
  readonly onClose: () => void;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A panel at the right of the page, the whole screen on a phone. The browser keeps the focus in it and gives it back to
 * where it was; Escape and a click beside it close it.
 */
export function Drawer({ title, label, shows = '', onClose, actions, children }: DrawerProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const { current } = panel;
    const before = document.activeElement;
    const closeBeside = (event: Event) => {
      if (event.target === current) close.current();
    };
    current?.addEventListener('click', closeBeside);
    current?.showModal();
    return () => {
      current?.close();
      // The browser gives the focus back only where the panel still stands in the page when it closes.
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('form input, form select, h2')?.focus();
  }, [shows]);
  return (
    <dialog
      ref={panel}
      class="drawer"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="drawer-content">
        <header>
          <BooksStrip />
          <h2 tabIndex={-1}>{title}</h2>
          {actions}
          <button type="button" class="plain" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
