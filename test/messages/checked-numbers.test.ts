import { expect, test } from 'bun:test';
import { CheckedNumbers, leftOutMark } from '../../src/features/answers/messages/checked-numbers.ts';

const result = {
  gain: '19749.75',
  quantity: '0.25',
  count: 3,
  acquired: '2024-07-17',
  loss: '-250.25',
  rounded: '12.345',
};

/** Returns the text as shown if it arrives in pieces of `size` characters. */
async function shown(text: string, size = 7): Promise<string> {
  const checked = new CheckedNumbers();
  const [tool] = checked.watch([{ name: 'look', description: '', parameters: {}, call: async () => result }]);
  await tool?.call({ year: 2025 });
  let said = '';
  for (let at = 0; at < text.length; at += size) said += checked.take(text.slice(at, at + size));
  return said + checked.end();
}

const kept = [
  'In 2025 you gained $19,749.75 from 3 sales of 0.25 BTC.',
  'A loss of $250.25, or about $250; a gain of $19,750.',
  'Acquired on July 17, 2024 (2024-07-17, 07/17/2024, 17 July 2024), so in 2024.',
  'Der Gewinn: 19.749,75 Dollar.',
  'Dividends of $12.35 or 12.345.',
  'It goes on Form 8949 in box 1 of the 1099-B.\n1. First\n2. Second\n',
  'No number at all, in several sentences. And one more!',
];
for (const text of kept) {
  test(`shows figures from the tools: ${text.slice(0, 40)}`, async () => {
    for (const size of [1, 7, 1_000]) expect(await shown(text, size)).toBe(text);
  });
}

const invented: readonly (readonly [string, string])[] = [
  ['You gained $19,749.76.', `You gained ${leftOutMark}.`],
  ['You gained 20k in all.', `You gained ${leftOutMark} in all.`],
  ['You sold 17 of 24 units.', `You sold ${leftOutMark} of ${leftOutMark} units.`],
  ['It was on July 18, 2024 then.', `It was on ${leftOutMark} then.`],
  ['A rate of 15% applies.', `A rate of ${leftOutMark} applies.`],
  ['That is 3 million dollars.', `That is ${leftOutMark} dollars.`],
  ['You have ٣٤ coins.', `You have ${leftOutMark} coins.`],
  ['You own 8949 shares.', `You own ${leftOutMark} shares.`],
];
for (const [text, expected] of invented) {
  test(`removes figures that no tool returned, with a note: ${text}`, async () => {
    for (const size of [1, 5, 1_000]) {
      const [answer = '', note = ''] = (await shown(text, size)).split('\n\n');
      expect(answer).toBe(expected);
      expect(note).toContain('did not look up in your books');
    }
  });
}

test('text without numbers passes while the answer continues', () => {
  const checked = new CheckedNumbers();
  expect(checked.take('You gained a lot, and ')).toBe('You gained a lot, and ');
  expect(checked.take('then $5 of ')).toBe('then ');
});
