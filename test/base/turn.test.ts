import { expect, test } from 'bun:test';
import { nextTurn } from '../../src/base/deadline.ts';

test('only one paused task continues at a time', async () => {
  const found: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let part = 1; part <= 3; part++) {
      await nextTurn();
      found.push(`${name}${part}`);
    }
  };
  let over = false;
  const asking = (async () => {
    while (!over) {
      found.push('asked');
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await Promise.all([work('a'), work('b')]);
  over = true;
  await asking;
  const between = found.join(' ').split('asked');
  expect(between.filter((part) => part.trim().split(' ').length > 1)).toEqual([]);
  expect(found.filter((one) => one !== 'asked')).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
});
