import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useReadOnly } from '../../api/books.ts';
import { to } from '../../api/page-url.ts';
import { addFiles, isRunning, uploadsHere } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { Button, Icon } from '../button.tsx';

/** Imported files that the Import page has shown, or whose strip was closed. */
const seen = signal<ReadonlySet<number>>(new Set());

/** The progress of imports, shown on every page except the import page. */
export function UploadStrip() {
  const { path } = useLocation();
  const uploads = uploadsHere();
  const going = uploads.filter((upload) => isRunning(upload) || upload.step.name === 'waiting').length;
  const waiting = uploads.filter(needsDecision).length;
  const imported = uploads.filter(({ step, id }) => step.name === 'done' && !seen.value.has(id));
  const done = imported.length;
  const isShown = path !== '/import' && uploads.length > 0;
  const see = () => {
    if (done > 0) seen.value = new Set([...seen.peek(), ...imported.map(({ id }) => id)]);
  };
  useEffect(() => {
    if (path === '/import') see();
  }, [path, done]);
  const parts = [
    ...(going > 0 ? [`Importing ${formatCount(going, 'file')}`] : []),
    ...(waiting > 0 ? [`${formatCount(waiting, 'file')} to review`] : []),
    ...(done > 0 ? [`${formatCount(done, 'file')} imported`] : []),
  ];
  return (
    <div role="status">
      {isShown && parts.length > 0 && (
        <p class="strip calm">
          {parts.join(', ')}. <a href={to('/import')}>Show files</a>{' '}
          {going + waiting === 0 && <Button icon="close" class="plain" aria-label="Close" onClick={see} />}
        </p>
      )}
    </div>
  );
}

/** Whether the upload needs input from the user. */
export function needsDecision({ step }: ReturnType<typeof uploadsHere>[number]): boolean {
  return (
    step.name === 'tried' || step.name === 'unsent' || (step.name === 'stopped' && step.problem.code !== 'aborted')
  );
}

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
