import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { hasClients } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { usesShortcuts } from '../api/preferences.ts';
import { type Destination, mainDestinations } from '../destinations.ts';

/** How the command key is labeled. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Returns the pages that a key opens after `g`. */
export function keyedPages(): readonly Destination[] {
  return mainDestinations(hasClients()).filter(({ key }) => key !== undefined);
}

/** How long after `g` the second key counts, in milliseconds. */
const secondKeyWithin = 1_500;

/** Opens the search with ⌘ K or Ctrl K everywhere, and listens for single keys unless the user is typing. */
export function useShortcuts(): void {
  const { route } = useLocation();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { key, altKey, ctrlKey, metaKey, timeStamp } = event;
      const isSecond = timeStamp - startedAt < secondKeyWithin;
      startedAt = Number.NEGATIVE_INFINITY;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) openDialog('search');
      else if (altKey || ctrlKey || metaKey || !usesShortcuts.value || isTyping(event)) return;
      else if (isSecond) {
        const page = keyedPages().find((each) => each.key === key);
        if (page === undefined) return;
        route(to(page.href));
      } else if (key === 'g') startedAt = timeStamp;
      else if (key === '/') openDialog('search');
      else if (key === '?') openDialog('shortcuts');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [route]);
}

/** Returns whether the key is text for a field, or belongs to an open dialog. */
function isTyping({ target }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]');
  return isField || document.querySelector('dialog[open]') !== null;
}

/** The dialog that covers the page: the search, or the list of keyboard shortcuts. */
export const opened = signal<'search' | 'shortcuts' | null>(null);

export function openDialog(name: 'search' | 'shortcuts'): void {
  opened.value = name;
}

export function closeDialog(): void {
  opened.value = null;
}
