import { type AnyElysia, Elysia } from 'elysia';
import { type Environment, loadConfig } from '../../src/config.ts';
import { type Clock, createDeps, type Deps, type Log, silentLog, systemClock } from '../../src/deps.ts';
import { logMail } from '../../src/features/people/mail/smtp.ts';
import { framework, frameworkOptions } from '../../src/http/framework.ts';
import { guard } from '../../src/http/guard.ts';
import { noDatabase } from '../support/no-database.ts';

/** Runs a test's own routes behind the real guard, without a database. */
export function miniApp(routes: (deps: Deps) => AnyElysia, options: MiniAppOptions = {}) {
  const deps = miniDeps(options);
  const mini = new Elysia(frameworkOptions).use(framework(deps)).use(routes(deps));
  for (const { hooks } of mini.routes) hooks.operation ??= { scopes: null, permission: null, action: null };
  const app = guard(mini, deps);
  return {
    deps,
    /** Listens on its own port and stops when disposed. */
    listen: () => {
      app.listen({ port: 0, hostname: 'localhost' });
      return { url: `http://localhost:${app.server?.port}`, [Symbol.dispose]: () => void app.server?.stop(true) };
    },
    ask: async (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
      app.handle(new Request(`http://localhost${path}`, { method, ...init })),
  };
}

interface MiniAppOptions {
  readonly env?: Environment;
  readonly clock?: Clock;
  readonly log?: Log;
}

function miniDeps({ env = {}, clock = systemClock, log = silentLog }: MiniAppOptions): Deps {
  return createDeps({
    config: loadConfig({ RATE_LIMIT_FACTOR: '100000', ...env }),
    database: noDatabase,
    clock,
    assistant: null,
    mail: logMail(silentLog),
    billing: null,
    log,
  });
}

export const jsonBody = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

export async function readProblem(response: Response): Promise<Record<string, unknown>> {
  const type = response.headers.get('content-type');
  if (type !== 'application/problem+json') throw new Error(`No problem but ${type}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
