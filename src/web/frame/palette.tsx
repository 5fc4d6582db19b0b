import { Fragment } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Icon } from '../parts/icon.tsx';
import { closeDialog } from './open-dialog.ts';
import { type PaletteItem, paletteSources } from './palette-sources.ts';

/**
 * The search over pages, years, clients, securities and transactions: a list box that the arrow keys move through while
 * the focus stays in the field (ARIA Authoring Practices, "Combobox").
 */
export default function Palette() {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const text = typed.trim();
  const groups = paletteSources
    .map(({ heading, useItems }) => ({ heading, items: useItems(text) }))
    .filter(({ items }) => items.length > 0);
  const all = groups.flatMap(({ items }) => items);
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    const closeOutside = ({ target }: Event) => {
      if (target === current) closeDialog();
    };
    current?.addEventListener('click', closeOutside);
    current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, text]);
  const open = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    closeDialog();
    item.act?.();
    route(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = all;
    const moved = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key];
    if (moved !== undefined && length > 0) setActive((moved + length) % length);
    else if (event.key === 'Enter') open(all[active]);
    // The browser reports the end of a dialog later, which would close one that was opened in the meantime.
    else if (event.key === 'Escape') closeDialog();
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" onClose={closeDialog}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search pages, clients, securities, transactions and help"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={all.length === 0 ? undefined : `${id}-${active}`}
          placeholder="Search Lotbook"
          autoComplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="plain" aria-label="Close" onClick={closeDialog}>
          <Icon name="close" />
        </button>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results">
        {groups.map(({ heading, items }) => (
          <Fragment key={heading}>
            <p class="nav-group" aria-hidden="true">
              {heading}
            </p>
            {items.map((item) => (
              <button
                key={`${item.label} ${item.href}`}
                id={`${id}-${all.indexOf(item)}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={all[active] === item}
                onClick={() => open(item)}
                onPointerMove={() => setActive(all.indexOf(item))}
              >
                <Icon name={item.icon} />
                <span>{item.label}</span>
                {item.detail !== undefined && <span class="fine">{item.detail}</span>}
              </button>
            ))}
          </Fragment>
        ))}
      </div>
    </dialog>
  );
}
