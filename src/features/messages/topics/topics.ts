import { topicsOfFiling } from './filing.ts';
import { topicsOfLaw } from './law.ts';
import { topicsOfLotbook } from './lotbook.ts';
import type { Topic } from './topic.ts';

/** All topics outside the books. */
export const topics = { ...topicsOfLaw, ...topicsOfFiling, ...topicsOfLotbook };

export type TopicName = keyof typeof topics;
export type { Topic };
