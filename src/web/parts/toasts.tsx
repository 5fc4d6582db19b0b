import { useEffect, useRef } from 'preact/hooks';
import { closeToast, sayProblem, type Toast, toasts } from '../api/toasts.ts';
import { Button, LinkButton } from './button.tsx';

/** The toasts, in a live region that screen readers announce. */
export function Toasts() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone they lie above the page, which makes room for them.
    const height = list.current?.offsetHeight ?? 0;
    document.documentElement.style.setProperty('--toasts', `${height}px`);
  }, [toasts.value]);
  return (
    <div ref={list} class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.isProblem ? 'toast bad' : 'toast'} data-toast={toast.id}>
          <span>{toast.text}</span>
          {toast.link !== null && (
            <LinkButton label={toast.link.label} href={toast.link.href} onClick={() => closeToast(toast.id)} />
          )}
          {toast.undo !== null && <Button icon="undo" label="Undo" onClick={() => undone(toast)} />}
          <Button icon="close" class="plain" aria-label="Close" onClick={() => closeToast(toast.id)} />
        </div>
      ))}
    </div>
  );
}

async function undone({ id, undo }: Toast): Promise<void> {
  closeToast(id);
  await undo?.().catch(sayProblem);
}
