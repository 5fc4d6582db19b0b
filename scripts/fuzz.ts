import { fuzz } from '../test/support/walk/fuzz.ts';

/**
 * Sends many valid and invalid requests to every operation in the OpenAPI document. Fails if a response is a 5xx, has a
 * status that the document does not list, or has a body that does not match its schema.
 *
 * bun scripts/fuzz.ts [REQUESTS] [SEED] [OPERATION]
 */
const [requests = '200', seed = String(crypto.getRandomValues(new Uint32Array(1))[0]), only = '.'] =
  process.argv.slice(2);
process.stdout.write(`${requests} requests per operation, seed ${seed}\n`);
const findings = await fuzz(Number(requests), Number(seed) | 0, new RegExp(only));
for (const { operationId, what, request } of findings) process.stdout.write(`${operationId}: ${what}\n  ${request}\n`);
process.stdout.write(`${findings.length} findings\n`);
process.exit(findings.length === 0 ? 0 : 1);
