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
      return dispose(fold, event);
    case 'income':
      return earn(fold, event);
    case 'move':
      return move(fold, event);
    case 'withdraw':
      return withdraw(fold, event);
    case 'deposit':
      return deposit(fold, event);
    case 'short':
      return openShort(fold, event);
    case 'cover':
      return cover(fold, event);
    case 'write':
      return write(fold, event);
    case 'close_written':
      return closeWritten(fold, event);
    case 'expire':
      return expire(fold, event);
    case 'exercise':
      return exercise(fold, event);
    case 'assign':
      return assign(fold, event);
    case 'split':
      return split(fold, event);
    case 'rename':
      return rename(fold, event, receivedKey(event));
    case 'spinoff':
      return spinoff(fold, event, receivedKey(event));
    case 'merger':
      return merge(fold, event, receivedKey(event));
    case 'return_of_capital':
      return returnCapital(fold, event);
    case 'mark':
      return mark(fold, event);
    case 'reported':
      return writeReported(fold, event);
    case 'unreadable':
      return raise(
        fold,
        event,
        'value_missing',
        `The ${event.tx.type.replaceAll('_', ' ')} of ${event.asset} on ${formatDay(event.tx.on)} states no quantity: it moves nothing.`,
      );
    default:
      return event satisfies never;
  }
}

function receivedKey(event: Event): string {
  return assetKeyOf(event.tx.receivedAsset, classesOf(event.tx).received);
}
