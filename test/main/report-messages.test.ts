import { expect, test } from 'bun:test';
import { Messages } from '../../src/commands/report/messages.ts';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('on a terminal, progress is one line that is erased before a message and at the end', () => {
  const terminal = screen(true);
  const messages = new Messages(terminal);
  messages.progress('Reading: 1%');
  messages.progress('Reading: 1%');
  messages.progress('Reading: 2%');
  messages.say('A line cannot be read.');
  messages.progress('Reading: 3%');
  messages.wipe();
  messages.wipe();
  const wipe = '\r\u001b[K';
  const said = ['Reading: 1%', wipe, 'Reading: 2%', wipe, 'A line cannot be read.\n', 'Reading: 3%', wipe];
  expect(terminal.written).toEqual(said);
});

test('a file gets only the messages', () => {
  const file = screen(false);
  const messages = new Messages(file);
  messages.progress('Reading: 1%');
  messages.say('A line cannot be read.');
  expect(file.written).toEqual(['A line cannot be read.\n']);
});

test('prints the first messages if there are too many, and the number of the remaining ones', () => {
  const file = screen(false);
  const messages = new Messages(file);
  messages.sayFirst(['a', 'b'], 5, (more) => `${more} more`);
  messages.sayFirst(['c'], 1, (more) => `${more} more`);
  expect(file.written).toEqual(['a\n', 'b\n', '3 more\n', 'c\n']);
});
