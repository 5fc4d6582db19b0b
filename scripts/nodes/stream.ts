import { balancerUrl } from './node.ts';

/** A user's notification stream, which resumes after the last event whenever it is cut. */
export class Stream {
  readonly events: string[] = [];
  /** The number of times it was cut and reconnected. */
  resumed = 0;
  readonly #ended = new AbortController();

  constructor(private readonly headers: Readonly<Record<string, string>>) {
    void this.#follow();
  }

  end(): void {
    this.#ended.abort();
  }

  async #follow(): Promise<void> {
    for (; !this.#ended.signal.aborted; this.resumed += 1) {
      await this.#open().catch(() => {});
      await Bun.sleep(500);
    }
  }

  async #open(): Promise<void> {
    const response = await fetch(`${balancerUrl}/v1/notifications/stream`, {
      headers: { ...this.headers, 'last-event-id': this.events.at(-1) ?? '0' },
      signal: this.#ended.signal,
      keepalive: false,
    });
    if (!response.ok || response.body === null) return;
    let rest = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const id = /^id: ?(.+)$/m.exec(block)?.[1];
        if (id !== undefined) this.events.push(id);
      }
    }
  }
}
