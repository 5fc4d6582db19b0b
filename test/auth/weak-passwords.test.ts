import { expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { refuseWeakPassword } from '../../src/features/people/auth/password.ts';

const email = 'ann.fields@mailbox.example';

async function isRefused(password: string): Promise<boolean> {
  return refuseWeakPassword(password, email).then(
    () => false,
    (reason: unknown) => reason instanceof Refusal && reason.more.errors?.[0]?.pointer === '/password',
  );
}

test.each([
  ...['password', '12345678', 'aaaaaaaa', 'Password1!', 'qwertyuiop', 'iloveyou2026', '87654321', 'abcdefgh'],
  ...[
    'abcabcabc',
    '00000000',
    'TrustNo1',
    'ann.fields@mailbox.example',
    'AnnFields1990',
    'mailbox.example',
    'Lotbook!!2026',
  ],
])('%s is refused', async (password) => {
  expect(await isRefused(password)).toBe(true);
});

test.each([
  ...['correct horse', 'a sentence to remember', 'Tr0ub4dor&3', 'ünïcödé wörds', '東京の夏は暑いですね', 'xK7#pQ9!'],
  ...['ann likes her fields green', '1234 sheep and a dog'],
])('%s is accepted', async (password) => {
  expect(await isRefused(password)).toBe(false);
});
