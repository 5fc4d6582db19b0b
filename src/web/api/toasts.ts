import { signal } from '@preact/signals';
import { toProblem } from './problem.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
  readonly undo: (() => Promise<void>) | null;
  readonly link: ToastLink | null;
  /** Toasts of the same group become one. */
  readonly group: ToastGroup | null;
  /** The number of toasts that it stands for. */
  readonly count: number;
}

export interface ToastGroup {
  readonly name: string;
  readonly text: (count: number) => string;
  readonly link: ToastLink;
}

/** A page with more details. */
interface ToastLink {
  readonly label: string;
  readonly href: string;
}

export const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Milliseconds that a toast is shown, without and with an action. A pointer or the focus keeps it open. */
const standsFor = { plain: 6_000, act: 20_000 } as const;

/** Shows a success toast, with an undo button or a link to details. */
export function say(
  text: string,
  undo: (() => Promise<void>) | null = null,
  link: ToastLink | null = null,
  group: ToastGroup | null = null,
): void {
  const earlier = toasts.value.find((each) => group !== null && each.group?.name === group.name);
  if (earlier !== undefined) closeToast(earlier.id);
  const count = (earlier?.count ?? 0) + 1;
  const isOne = group === null || count === 1;
  const shown = isOne ? { text, link } : { text: group.text(count), link: group.link };
  show({ ...shown, undo, group, count, isProblem: false });
}

export function sayEmailed(address: string, effect = ''): void {
  say(`We emailed a link to ${address}. ${effect}`.trim());
}

/** Shows an error toast. */
export function sayProblem(error: unknown): void {
  show({ text: toProblem(error).message, undo: null, link: null, group: null, count: 1, isProblem: true });
}

function show(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const id = lastId;
  const others = toasts.value.filter(({ text, link }) => text !== toast.text || link?.href !== toast.link?.href);
  toasts.value = [...others.slice(-2), { ...toast, id }];
  const hasAction = toast.undo !== null || toast.link !== null;
  setTimeout(() => closeUnlessHeld(id), hasAction ? standsFor.act : standsFor.plain);
}

function closeUnlessHeld(id: number): void {
  const held = document.querySelector(`[data-toast="${id}"]:is(:hover, :focus-within)`) !== null;
  if (held) setTimeout(() => closeUnlessHeld(id), 1_000);
  else closeToast(id);
}

export function closeToast(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}
