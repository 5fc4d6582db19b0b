import { formatDay } from '../base/day.ts';
import { acquire, earn } from './acquire.ts';
import { classesOf } from './classes.ts';
import { mark } from './contracts.ts';
import { merge, rename, returnCapital, spinoff, split } from './corporate.ts';
import type { Event } from './events.ts';
import { type Fold, raise } from './fold.ts';
import { assetKeyOf } from './keys.ts';
import { assign, closeWritten, exercise, expire, write } from './options.ts';
import { writeReported } from './reported.ts';
import { dispose } from './sale.ts';
import { cover, openShort } from './shorts.ts';
import { deposit, move, withdraw } from './transfers.ts';

/** Every kind of event and what it does to a book, on one screen. */
export function apply(fold: Fold, event: Event): void {
  switch (event.kind) {
    case 'acquire':
      acquire(fold, event);
      return;
    case 'dispose':
      dispose(fold, event);
      return;
    case 'income':
      earn(fold, event);
      return;
    case 'move':
      move(fold, event);
      return;
    case 'withdraw':
      withdraw(fold, event);
      return;
    case 'deposit':
      deposit(fold, event);
      return;
    case 'short':
      openShort(fold, event);
      return;
    case 'cover':
      cover(fold, event);
      return;
    case 'write':
      write(fold, event);
      return;
    case 'close_written':
      closeWritten(fold, event);
      return;
    case 'expire':
      expire(fold, event);
      return;
    case 'exercise':
      exercise(fold, event);
      return;
    case 'assign':
      assign(fold, event);
      return;
    case 'split':
      split(fold, event);
      return;
    case 'rename':
      rename(fold, event, receivedKey(event));
      return;
    case 'spinoff':
      spinoff(fold, event, receivedKey(event));
      return;
    case 'merger':
      merge(fold, event, receivedKey(event));
      return;
    case 'return_of_capital':
      returnCapital(fold, event);
      return;
    case 'mark':
      mark(fold, event);
      return;
    case 'reported':
      writeReported(fold, event);
      return;
    case 'unreadable':
      raise(
        fold,
        event,
        'value_missing',
        `The ${event.tx.type.replaceAll('_', ' ')} of ${event.asset} on ${formatDay(event.tx.on)} states no quantity: it moves nothing.`,
      );
      return;
    default:
      event satisfies never;
      return;
  }
}

function receivedKey(event: Event): string {
  return assetKeyOf(event.tx.receivedAsset, classesOf(event.tx).received);
}
