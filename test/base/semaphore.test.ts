import { describe, expect, test } from 'bun:test';
import { openSemaphore } from '../../src/base/semaphore.ts';

/** Creates work that ends on request, and records the order in which it started. */
function jobs() {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const job = (name: string) => () => {
    began.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { began, job, end };
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await Promise.resolve();
}

describe('a semaphore', () => {
  test('gives slots to the keys in turn, regardless of their number of requests', async () => {
    const semaphore = openSemaphore({ placesMax: 2 });
    const { began, job, end } = jobs();
    for (const [key, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['a', 'a4'],
      ['b', 'b1'],
      ['c', 'c1'],
    ] as const)
      void semaphore(key, job(name));
    await settle();
    expect(began).toEqual(['a1', 'a2']);
    await end('a1');
    await end('a2');
    await end('a3');
    await end('b1');
    expect(began).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4']);
  });

  test("leaves slots beyond a key's share free", async () => {
    const semaphore = openSemaphore({ placesMax: 3, placesPerKeyMax: 1 });
    const { began, job, end } = jobs();
    void semaphore('a', job('a1'));
    void semaphore('a', job('a2'));
    void semaphore('b', job('b1'));
    await settle();
    expect(began).toEqual(['a1', 'b1']);
    await end('a1');
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  test('refuses work that waits too long, and work beyond the number that may wait for a key', async () => {
    const semaphore = openSemaphore({ placesMax: 1, waitingPerKeyMax: 1, waitMilliseconds: 20 });
    const { began, job, end } = jobs();
    void semaphore('a', job('a1'));
    const late = semaphore('a', job('a2'));
    await expect(semaphore('a', job('a3'))).rejects.toMatchObject({ code: 'overloaded' });
    await expect(late).rejects.toMatchObject({ code: 'overloaded' });
    await end('a1');
    void semaphore('b', job('b1'));
    await settle();
    expect(began).toEqual(['a1', 'b1']);
  });

  test('frees the slot if the work fails', async () => {
    const semaphore = openSemaphore({ placesMax: 1 });
    await expect(semaphore('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore('a', () => Promise.resolve(7))).toBe(7);
  });
});
