import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { isRunning, uploadsHere } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { Icon } from '../icon.tsx';

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
          {going + waiting === 0 && (
            <button type="button" class="plain" aria-label="Close" onClick={see}>
              <Icon name="close" />
            </button>
          )}
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
