import { hash } from 'node:crypto';
import { generator } from '../bench/trades.ts';
import { type Office, Person, years } from './person.ts';

/**
 * Users who work at the same time. Each has a second page for the same account that reads while the first one writes.
 */
export interface Crowd {
  readonly people: readonly Person[];
  /** Resolves when all users have finished their operations. */
  readonly ended: Promise<void>;
}

/** A user with that many operations starts over with a new account. */
const actionsMax = 60;
const thinkMilliseconds = 1_500;
const readMilliseconds = 2_500;

export function letWork(users: number, office: Office, seed: number, until: () => boolean): Crowd {
  const people: Person[] = [];
  const working = Array.from({ length: users }, async (_, user) => {
    for (let life = 1; !until(); life++) {
      const name = `p${user + 1}.${life}`;
      const random = generator(Number.parseInt(hash('sha256', `${seed} ${name}`, 'hex').slice(0, 8), 16));
      const person = new Person(name, office, random);
      await Bun.sleep(random() * thinkMilliseconds);
      await person.register();
      people.push(person);
      let isOver = false;
      const reading = keepReading(person, () => isOver);
      for (let actionCount = 0; actionCount < actionsMax && !until(); actionCount++) {
        await person.act();
        await Bun.sleep(random() * thinkMilliseconds);
      }
      isOver = true;
      await reading;
    }
  });
  return { people, ended: Promise.all(working).then(() => {}) };
}

async function keepReading(person: Person, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    await Bun.sleep(Math.random() * readMilliseconds);
    await (turn % 4 === 3 ? person.list() : person.summary(years[turn % 2] ?? years[0]));
  }
}
