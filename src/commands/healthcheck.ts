import { loadConfig } from '../config.ts';
import { readOptions } from './options.ts';
import { printResult } from './output.ts';

/** `healthcheck` queries the local server's readiness because the container image does not include curl. */
export async function healthcheck(args: readonly string[]): Promise<number> {
  const { options } = readOptions('healthcheck', args, 0);
  const { host, port } = loadConfig(process.env);
  const url = `http://${reachable(host)}:${port}/readyz`;
  const { ready, detail } = await ask(url);
  await printResult(options, { ready, url, detail }, `${url}: ${detail}`);
  return ready ? 0 : 1;
}

async function ask(url: string): Promise<{ ready: boolean; detail: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(secondsMax * 1000), redirect: 'error' });
    return { ready: response.ok, detail: response.ok ? 'ready' : `answers ${response.status}` };
  } catch (error) {
    return {
      ready: false,
      detail: error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : 'not there',
    };
  }
}

const secondsMax = 5;

/** Returns the address to connect to. A server that listens on all addresses also listens on the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
