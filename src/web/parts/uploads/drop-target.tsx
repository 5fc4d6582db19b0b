import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useReadOnly } from '../../api/books.ts';
import { addFiles } from '../../api/uploads.ts';
import { Icon } from '../icon.tsx';

const isDragged = signal(false);

/** Accepts files dropped or pasted anywhere, and shows the drop target while dragging. */
export function DropTarget() {
  const isOpen = useReadOnly() === null;
  useEffect(() => {
    if (!isOpen) return;
    // Counts the elements entered and left while dragging. Only leaving the last one leaves the window.
    let depth = 0;
    const ended = (): void => {
      depth = 0;
      isDragged.value = false;
    };
    const listeners = new AbortController();
    const on = <Kind extends 'dragenter' | 'dragover' | 'dragleave' | 'drop'>(
      kind: Kind,
      act: (event: DragEvent) => void,
    ): void => {
      const listener = (event: DragEvent): void => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        act(event);
      };
      addEventListener(kind, listener, { signal: listeners.signal });
    };
    on('dragenter', () => {
      depth += 1;
      isDragged.value = true;
    });
    on('dragover', (event) => {
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    });
    on('dragleave', () => {
      depth -= 1;
      if (depth <= 0) ended();
    });
    on('drop', (event) => {
      ended();
      addFiles(event.dataTransfer?.files ?? []);
    });
    document.addEventListener(
      'paste',
      (event) => {
        const files = event.clipboardData?.files ?? [];
        if (files.length > 0) addFiles(files);
      },
      { signal: listeners.signal },
    );
    return () => listeners.abort();
  }, [isOpen]);
  if (!isDragged.value) return null;
  return (
    <div class="drop-cover">
      <p>
        <Icon name="import" /> Drop files to import them
      </p>
    </div>
  );
}
