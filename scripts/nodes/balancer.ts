import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { balancerUrl, type Node } from './node.ts';

/**
 * Starts HAProxy in front of the nodes. It checks the readiness of each node once a second and sends requests to the
 * ready ones in turn.
 */
export function startBalancer(folder: string, nodes: readonly Node[]): Bun.Subprocess {
  const file = join(folder, 'haproxy.cfg');
  const servers = nodes.map(({ number, address }) => `  server node${number} ${address} check`);
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout check 2s
  option redispatch
  option http-server-close
frontend users
  bind ${new URL(balancerUrl).host}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host ${new URL(balancerUrl).host}
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  return Bun.spawn(['haproxy', '-f', file, '-db'], { stdio: ['ignore', log, log] });
}
