import { signal } from '@preact/signals';

/** An action that waits until the user proves their identity again. */
interface PendingAction {
  /** True if the user proved it, and false if the user declined. */
  readonly settle: (isProved: boolean) => void;
}

/** While this is set, a dialog prompts for the proof. */
export const pendingActions = signal<readonly PendingAction[]>([]);

export function askForProof(): Promise<boolean> {
  return new Promise((settle) => {
    pendingActions.value = [...pendingActions.peek(), { settle }];
  });
}

export function settleProof(isProved: boolean): void {
  const waiting = pendingActions.peek();
  pendingActions.value = [];
  for (const { settle } of waiting) settle(isProved);
}

/** The last proof that was sent. Its response changes the session cookie. */
let lastProof: Promise<unknown> = Promise.resolve();

export function sendProof(send: () => Promise<unknown>): Promise<unknown> {
  const sent = send();
  lastProof = sent.catch(() => undefined);
  return sent;
}

/** Call this when a request starts. The returned function reports whether the cookie changed since then. */
export function watchCookie(): () => Promise<boolean> {
  const before = lastProof;
  let isUnderWay = true;
  void before.then(() => {
    isUnderWay = false;
  });
  return async () => {
    const wasUnderWay = isUnderWay;
    await lastProof;
    return wasUnderWay || lastProof !== before;
  };
}

/** Counts 401 responses. The session is checked again after each. */
export const signedOut = signal(0);
