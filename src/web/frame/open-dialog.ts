import { signal } from '@preact/signals';

/** The dialog that covers the page: the search, or the list of keyboard shortcuts. */
export const opened = signal<'search' | 'shortcuts' | null>(null);

export function openDialog(name: 'search' | 'shortcuts'): void {
  opened.value = name;
}

export function closeDialog(): void {
  opened.value = null;
}
