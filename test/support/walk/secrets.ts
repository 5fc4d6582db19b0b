import type { ApiWalk } from './api-walk.ts';

/** Request and response fields whose values must never be logged. */
export const secretMembers = ['current', 'email', 'password', 'recoveryCodes', 'secret', 'token', 'totp'];

/** Returns the secrets in the document's examples and in the responses. */
export function secretsOf({ operations, answers, cookie }: ApiWalk): (readonly [value: string, name: string])[] {
  const found: [string, string][] = [[cookie().split('.')[1] ?? '', 'cookie']];
  const examples = operations.flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ example }) => example as unknown),
  );
  const open: (readonly [name: string, value: unknown])[] = [...examples, ...answers.values()].map((each) => [
    '',
    each,
  ]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (typeof value === 'string' && secretMembers.includes(name) && value.length >= 6) found.push([value, name]);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) open.push([Array.isArray(value) ? name : key, member]);
  }
  return found;
}
