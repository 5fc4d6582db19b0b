import type { RequestInput } from '../app.ts';
import type { ApiWalk, WalkObserver } from './api-walk.ts';
import { endings } from './fuzz.ts';

/** Long and unusual enough that no response contains it by chance. */
const marker = 'zq7Marker4711';

/** Checks that no error repeats values from the request. */
export async function openEchoes(walk: ApiWalk): Promise<WalkObserver> {
  let who = await walk.app.register('CPA');
  const asked = new Set<string>();
  return {
    before: async ({ method, path, operation }) => {
      if (asked.has(operation.operationId)) return [];
      asked.add(operation.operationId);
      const address = path.replace(/\{\w+\}/g, marker);
      const known = path.replace(/\{\w+\}/g, '2024');
      const queries = (operation.parameters ?? []).filter((each) => each.in === 'query');
      const media = Object.entries(operation.requestBody?.content ?? {}).filter(
        ([type]) => !type.startsWith('multipart'),
      );
      const requests: [path: string, given: RequestInput][] = [
        [address, {}],
        ...queries.map(({ name }): [string, RequestInput] => [`${known}?${name}=${marker}`, {}]),
        ...media.map(([type, { example }]): [string, RequestInput] => [
          known,
          { body: marked(example), headers: { 'content-type': type } },
        ]),
      ];
      const faults: string[] = [];
      for (const [target, given] of requests) {
        const response = await walk.app.request(method, target, { cookie: who.cookie, ...given });
        if (response.status < 400) await response.body?.cancel();
        else if ((await response.text()).includes(marker)) faults.push(`${target} is repeated: ${response.status}`);
      }
      if (endings.includes(operation.operationId)) who = await walk.app.register('CPA');
      return faults;
    },
  };
}

/** Replaces every string in the example, and everything but the header of a file, with the marker. */
function marked(example: unknown): string {
  if (typeof example === 'string') return `${example.split('\n')[0]}\n${marker},${marker},${marker}\n`;
  return JSON.stringify(example, (_name, value: unknown) => (typeof value === 'string' ? marker : value));
}
