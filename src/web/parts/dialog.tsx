import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { BooksStrip } from './books-banner.tsx';
import { Button } from './button.tsx';

/** Opens the dialog that gets this reference. Afterward, the focus returns to the element that had it. */
export function useModal(onClose: () => void, closesByClickOutside = true) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    const listeners = new AbortController();
    const { signal } = listeners;
    const clickOutside = ({ target }: Event) => {
      if (closesByClickOutside && target === current) close.current();
    };
    current?.addEventListener('click', clickOutside, { signal });
    current?.addEventListener('close', () => close.current(), { signal });
    current?.showModal();
    return () => {
      listeners.abort();
      current?.close();
      // The browser returns the focus only if the dialog is still in the page when it closes.
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}

interface DialogProps {
  readonly title: string;
  /** Called for Escape or the form's cancel button. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog. The browser keeps the focus inside and returns it afterward. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useModal(onClose, false);
  const id = useId();
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface DrawerProps {
  readonly title: ComponentChildren;
  /** The panel's accessible name. */
  readonly label: string;
  /** The panel's content. A change moves the focus to its first field, or otherwise to its title. */
  readonly shows?: string;
  readonly onClose: () => void;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A panel at the right, or the whole screen on a phone. Escape or a click outside closes it. */
export function Drawer({ title, label, shows = '', onClose, actions, children }: DrawerProps) {
  const panel = useModal(onClose);
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
          <Button icon="close" class="plain" aria-label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
