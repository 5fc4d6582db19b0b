import { connect } from 'node:net';
import { balancerUrl } from './node.ts';

const uploads = 20;

/**
 * Users who disappear in the middle of an upload without closing the connection. The balancer and a node keep the other
 * end open.
 */
export async function stallUploads(): Promise<string> {
  const { hostname, port, host } = new URL(balancerUrl);
  const email = `stalled${Math.floor(performance.now())}@example.com`;
  const registered = await fetch(`${balancerUrl}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
    keepalive: false,
  });
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  for (let upload = 0; upload < uploads; upload++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const head = ['POST /v1/transactions/import HTTP/1.1', `host: ${host}`, `cookie: ${cookie}`];
    const rows = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Broker,HALF,1,100\n';
    socket.write(`${[...head, 'content-type: text/csv', 'content-length: 100000'].join('\r\n')}\r\n\r\n${rows}`);
  }
  return `${uploads} uploads stopped halfway and stay open`;
}
