import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';

interface DrawerProps {
  readonly title: string;
  /** What it shows. The focus goes to its first field or to the title, whenever that changes. */
  readonly shows?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog at the side of the list. Escape closes it; the focus goes back to where it was. */
export function Drawer({ title, shows = '', onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    dialog.current?.querySelector<HTMLElement>('form input, form select, h2')?.focus();
  }, [shows]);
  return (
    <dialog ref={dialog} class="drawer" aria-label={title} onClose={onClose}>
      <header>
        <h2 tabIndex={-1}>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
