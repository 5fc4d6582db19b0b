import { formatDay } from '../base/day.ts';
import { acquire, earn } from './acquire.ts';
import { returnCapital } from './capital.ts';
import { classesOf } from './classes.ts';
import { mark } from './contracts.ts';
import type { Act, Event } from './event.ts';
import { type Fold, raise } from './fold.ts';
import { assetKeyOf } from './keys.ts';
import { assign, closeWritten, exercise, expire, write } from './options.ts';
import { rename } from './rename.ts';
import { merge, spinoff } from './reorganize.ts';
import { writeReported } from './reported.ts';
import { reverse } from './reversal.ts';
import { dispose } from './sale.ts';
import { cover, openShort } from './shorts.ts';
import { split } from './split.ts';
import { deposit, move, withdraw } from './transfers.ts';

/** Every kind of event and what it does to a book, on one screen. */
export function apply(fold: Fold, event: Event): void {
  switch (event.kind) {
    case 'acquire':
      acquire(fold, event);
      break;
    case 'dispose':
      dispose(fold, event);
      break;
    case 'income':
      earn(fold, event);
      break;
    default:
      acts[event.kind](fold, event);
  }
}

const acts: Readonly<Record<Act['kind'], (fold: Fold, event: Act) => void>> = {
  move,
  withdraw,
  deposit,
  short: openShort,
  cover,
  write,
  close_written: closeWritten,
  expire,
  exercise,
  assign,
  split,
  rename: (fold, event) => rename(fold, event, receivedKey(event)),
  spinoff: (fold, event) => spinoff(fold, event, receivedKey(event)),
  merger: (fold, event) => merge(fold, event, receivedKey(event)),
  return_of_capital: returnCapital,
  mark,
  reported: writeReported,
  reverse,
  unreadable: (fold, event) => {
    const what = `${event.tx.type.replaceAll('_', ' ')} of ${event.asset} on ${formatDay(event.on)}`;
    raise(fold, event, 'value_missing', `The ${what} states no quantity. It has no effect.`);
  },
};

function receivedKey(event: Event): string {
  return assetKeyOf(event.tx.receivedAsset, classesOf(event.tx).received);
}
