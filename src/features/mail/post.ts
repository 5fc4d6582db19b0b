import type { Deps, Mail } from '../../deps.ts';

/** Before each further try. */
const pauseSeconds = [1, 10, 60];

/**
 * Sends a mail beside the request, which neither waits for it nor fails with it: an answer that took as long as a mail
 * would show that the address has an account. A server that stops tries once more at once and waits for that.
 */
export function postMail(deps: Pick<Deps, 'mail' | 'log' | 'lifecycle'>, mail: Mail): void {
  const leave = deps.lifecycle.enter();
  void deliver(deps, mail).finally(leave);
}

async function deliver({ mail: port, log, lifecycle }: Pick<Deps, 'mail' | 'log' | 'lifecycle'>, mail: Mail) {
  for (let tries = 0; ; tries += 1) {
    const isLast = tries === pauseSeconds.length || lifecycle.draining;
    try {
      return await port.send(mail);
    } catch (error) {
      // The subject may name a person.
      const domain = mail.to.split('@').at(-1);
      if (isLast) return log.error('mail not sent', error, { domain });
      log.warn('mail not sent, tried again', { domain });
      await pause((pauseSeconds[tries] ?? 0) * 1000, lifecycle.drained);
    }
  }
}

/** Ends early where the server stops. */
function pause(milliseconds: number, drained: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      drained.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (drained.aborted) done();
    else drained.addEventListener('abort', done);
  });
}
