import { openSync } from 'node:fs';
import { join } from 'node:path';
import { readMemory } from '../bench/measure.ts';
import { addresses, addressOfNode, atNode, cut, mend, type Side } from './network.ts';

/** One Lotbook server at the end of its cables. */
export class Node {
  readonly address: string;
  /** The number of times that the node was started. */
  starts = 0;
  /** Peak memory in MB. */
  memory = 0;
  #process: Bun.Subprocess | undefined;

  constructor(
    readonly number: number,
    private readonly folder: string,
    private readonly databaseUrl: string,
  ) {
    this.address = `${addressOfNode(number, 'front')}:${nodePort}`;
  }

  /** `more` is added to the node's environment. */
  start(more: Readonly<Record<string, string>> = {}): void {
    const log = openSync(join(this.folder, `node${this.number}.log`), 'a');
    const { PATH = '' } = process.env;
    this.starts += 1;
    this.#process = Bun.spawn([...atNode(this.number), process.execPath, program, 'serve'], {
      cwd: this.folder,
      env: {
        PATH,
        HOST: addressOfNode(this.number, 'front'),
        PORT: String(nodePort),
        BASE_URL: balancerUrl,
        DATABASE_URL: this.databaseUrl,
        TRUSTED_PROXIES: addresses.front,
        RATE_LIMIT_FACTOR: '100000',
        ...more,
      },
      stdio: ['ignore', log, log],
    });
  }

  async kill(): Promise<void> {
    this.noteMemory();
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  cut(side: Side): void {
    cut(this.number, side);
  }

  mend(side: Side): void {
    mend(this.number, side);
  }

  noteMemory(): void {
    this.memory = Math.max(this.memory, readMemory(this.#process?.pid ?? 0, 'VmHWM'));
  }

  /** In MB. */
  get memoryNow(): number {
    return readMemory(this.#process?.pid ?? 0, 'VmRSS');
  }

  /** Sends a request to the node directly, not through the balancer. */
  request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://${this.address}${path}`, { method, ...init, keepalive: false });
  }

  async isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(2_000);
    const response = await fetch(`http://${this.address}/readyz`, { signal, keepalive: false }).catch(() => null);
    return response?.ok === true;
  }
}

export async function untilReady(nodes: readonly Node[]): Promise<void> {
  for (const deadline = performance.now() + readyMilliseconds; performance.now() < deadline; await Bun.sleep(200)) {
    const ready = await Promise.all(nodes.map((node) => node.isReady()));
    if (ready.every((one) => one)) return;
  }
  throw new Error('The nodes did not become ready. See their logs.');
}

const nodePort = 3000;
const program = join(import.meta.dir, '..', '..', 'src', 'main.ts');
const readyMilliseconds = 90_000;

/** The address that users send requests to. */
export const balancerUrl = `http://${addresses.front}:8080`;
