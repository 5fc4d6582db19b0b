import type { ComponentChildren, ComponentProps, TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Problem, toProblem } from '../api/problem.ts';
import { say, sayProblem } from '../api/toasts.ts';

interface Content {
  readonly label?: ComponentChildren;
  /** Shown before the label. A button of only an icon needs an `aria-label`. */
  readonly icon?: IconName | undefined;
}

function content({ icon, label }: Content) {
  if (icon === undefined) return label;
  return (
    <>
      <Icon name={icon} /> {label}
    </>
  );
}

/** A button, from the declaration of its icon and label. */
export function Button({ icon, label, ...rest }: Content & Omit<ComponentProps<'button'>, 'label' | 'icon'>) {
  return (
    <button type="button" {...rest}>
      {content({ icon, label })}
    </button>
  );
}

interface LinkButtonProps extends Content {
  readonly href: string;
  readonly isPrimary?: boolean;
  readonly target?: '_blank';
  readonly rel?: 'noopener';
  /** Downloads the page that it links to, under this name. */
  readonly download?: boolean | string;
  readonly onClick?: () => void;
}

/** A link that looks like a button. */
export function LinkButton({ icon, label, isPrimary = false, ...rest }: LinkButtonProps) {
  return (
    <a class={isPrimary ? 'button primary' : 'button'} {...rest}>
      {content({ icon, label })}
    </a>
  );
}

/** SVG paths on a 24-by-24 grid, drawn in the text color. */
const outlines = {
  year: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  import: 'M12 15V4m0 0L8 8m4-4 4 4M4 15v4h16v-4',
  questions: 'M4 13l2-8h12l2 8v6H4zM4 13h5c0 1.7 1.3 3 3 3s3-1.3 3-3h5',
  transactions: 'M4 6h16M4 12h16M4 18h10',
  lots: 'M4 8l8-4 8 4-8 4zM4 12l8 4 8-4M4 16l8 4 8-4',
  lines: 'M6 3h9l4 4v14H6zM9 11h7M9 15h7',
  plan: 'M4 18l5-6 4 4 7-9M20 7v5M20 7h-5',
  reports: 'M12 4v11m0 0 4-4m-4 4-4-4M4 17v3h16v-3',
  assistant: 'M5 5h14v10H10l-5 4zM9 9h6M9 12h4',
  notifications: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  clients:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3.5 19c0-3 2.5-5 5.5-5s5.5 2 5.5 5M16 6a3 3 0 0 1 0 5.5M17.5 14.5c2 .7 3.2 2.3 3.2 4.5',
  settings: 'M5 7h9M18 7h1M5 17h1M10 17h9M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4M8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5 12h14',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20c.6-3.5 3.6-5.5 7.5-5.5s6.9 2 7.5 5.5',
  forms: 'M4 5h7v14H4zM13 5h7v14h-7zM6 9h3M6 12h3M15 9h3M15 12h3',
  prices: 'M4 12l8-8h8v8l-8 8zM16 8h.01',
  hidden: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6M4 4l16 16',
  shown: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6M12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  theme: 'M12 21a9 9 0 1 0 0-18zM12 21a9 9 0 0 1 0-18',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 13l4 4L19 7',
  warning: 'M12 4 3 20h18zM12 10v4M12 17h.01',
  back: 'M14 6l-6 6 6 6',
  forward: 'M10 6l6 6-6 6',
  down: 'M6 10l6 6 6-6',
  help: 'M9.5 9a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  undo: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l4.5 4.5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM13.5 7.5l3 3',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  add: 'M12 5v14M5 12h14',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  open: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.8-1.2',
} as const;

export type IconName = keyof typeof outlines;

/** An icon next to text. Screen readers ignore it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  );
}

/** Runs the action of a form or a button once at a time, and tracks its busy state and error. */
export function useAction() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  async function act(work: () => Promise<void>, onProblem?: (error: unknown) => void): Promise<boolean> {
    // A button that is pressed twice before it is drawn again acts once.
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      if (onProblem === undefined) setProblem(toProblem(error));
      else onProblem(error);
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  const submit = (work: () => Promise<void>) => (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void act(work);
  };
  const problemOfField = (name: string) =>
    problem?.fields.find(({ pointer }) => pointer === `/${name}` || pointer?.startsWith(`/${name}/`))?.detail;
  return { act, submit, problem, isBusy, problemOfField };
}

interface ActionButtonProps<Result> extends ComponentProps<typeof Button> {
  /** Sends a change. If the result is a function, it undoes the change. */
  readonly act: () => Promise<Result>;
  /** The message after the change. */
  readonly said?: string | ((result: Result) => string);
  /** The label until the server responds. */
  readonly busy?: string;
}

/** A button that sends a change, and then shows a toast with the outcome or the error. */
export function ActionButton<Result>({ act: send, said, label, busy, ...button }: ActionButtonProps<Result>) {
  const { act, isBusy } = useAction();
  const click = async () => {
    const result = await send();
    const undo = typeof result === 'function' ? (result as () => Promise<void>) : null;
    if (said !== undefined) say(typeof said === 'string' ? said : said(result), undo);
  };
  return (
    <Button
      {...button}
      label={isBusy ? (busy ?? label) : label}
      aria-disabled={isBusy}
      onClick={() => void act(click, sayProblem)}
    />
  );
}
