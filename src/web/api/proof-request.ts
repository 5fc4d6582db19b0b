import { signal } from '@preact/signals';

/** An act that waits until its user has proved once more who they are. */
interface WaitingAct {
  /** True: they have. False: they will not. */
  readonly settle: (isProved: boolean) => void;
}

/** While there is one, a dialog asks for the proof. */
export const waitingActs = signal<readonly WaitingAct[]>([]);

export function askForProof(): Promise<boolean> {
  return new Promise((settle) => {
    waitingActs.value = [...waitingActs.peek(), { settle }];
  });
}

export function settleProof(isProved: boolean): void {
  const waiting = waitingActs.peek();
  waitingActs.value = [];
  for (const { settle } of waiting) settle(isProved);
}

/** The last proof that was sent. The session has another cookie once it is there. */
let lastProof: Promise<unknown> = Promise.resolve();

export function sendProof(send: () => Promise<unknown>): Promise<unknown> {
  const sent = send();
  lastProof = sent.catch(() => undefined);
  return sent;
}

/** Begun with a request: what it returns says whether the cookie was exchanged while the request was on its way. */
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
