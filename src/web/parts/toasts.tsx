import { signal } from '@preact/signals';
import { problemOf } from '../api/problem.ts';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
  readonly undo: (() => Promise<void>) | null;
  readonly link: ToastLink | null;
}

/** The page where more is to be seen. */
interface ToastLink {
  readonly label: string;
  readonly href: string;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Milliseconds for which a toast stands. One that offers an act stays longer; a pointer or the focus on it holds it. */
const standsFor = { plain: 6_000, act: 20_000 } as const;

/** Says that something was done, with its undo, or where more is to be seen. */
export function say(text: string, undo: (() => Promise<void>) | null = null, link: ToastLink | null = null): void {
  show({ text, undo, link, isProblem: false });
}

/** Says that something could not be done. */
export function sayProblem(error: unknown): void {
  show({ text: problemOf(error).message, undo: null, link: null, isProblem: true });
}

function show(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id }];
  const hasAct = toast.undo !== null || toast.link !== null;
  setTimeout(() => closeUnlessHeld(id), hasAct ? standsFor.act : standsFor.plain);
}

function closeUnlessHeld(id: number): void {
  const held = document.querySelector(`[data-toast="${id}"]:is(:hover, :focus-within)`) !== null;
  if (held) setTimeout(() => closeUnlessHeld(id), 1_000);
  else close(id);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** Where they stand: a live region, so that a screen reader says them. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.isProblem ? 'toast bad' : 'toast'} data-toast={toast.id}>
          <span>{toast.text}</span>
          {toast.link !== null && (
            <a class="button" href={toast.link.href} onClick={() => close(toast.id)}>
              {toast.link.label}
            </a>
          )}
          {toast.undo !== null && (
            <button type="button" onClick={() => undone(toast)}>
              <Icon name="undo" /> Undo
            </button>
          )}
          <button type="button" class="plain" aria-label="Close" onClick={() => close(toast.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

async function undone({ id, undo }: Toast): Promise<void> {
  close(id);
  await undo?.().catch(sayProblem);
}
