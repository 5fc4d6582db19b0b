import { expect, test } from 'bun:test';
import { limits } from '../../src/base/limits.ts';
import { membersOfKind, type StatementMember } from '../../src/engine/statement-members.ts';
import { beyondLimits } from '../../src/formats/cells/beyond-limits.ts';

/** Tests each member separately, because the fast path for a row must check every member in the table. */

const decimal = (digits: number, decimals: number): bigint => 10n ** BigInt(digits + decimals);
const most = [
  ...membersOfKind('name').map((member) => [member, 'N'.repeat(limits.nameCharacters), 'N'] as const),
  ...membersOfKind('note').map((member) => [member, 'n'.repeat(limits.noteCharacters), 'n'] as const),
  ...membersOfKind('money').map((member) => [member, decimal(limits.moneyDigits, 8) - 1n, 1n] as const),
  ...membersOfKind('quantity').map((member) => [member, decimal(limits.quantityDigits, 18) - 1n, 1n] as const),
];

for (const [member, within, more] of most) {
  test(`${member}: the maximum is accepted, and one more is not`, () => {
    expect(beyondLimits({ [member]: within })).toBeUndefined();
    const beyond = typeof within === 'string' ? `${within}${more}` : within + BigInt(more);
    expect(beyondLimits({ [member]: beyond })?.member).toBe(member satisfies StatementMember);
    if (typeof within === 'bigint') expect(beyondLimits({ [member]: -BigInt(beyond) })?.member).toBe(member);
  });
}

test('a ratio is between 10^-12 and 10^12', () => {
  const end = 10n ** BigInt(limits.ratioDigits);
  for (const [numerator, denominator] of [
    [end, 1n],
    [1n, end],
    [7n, 3n],
    [0n, 1n],
  ] as const) {
    expect(beyondLimits({ ratio: { numerator, denominator } })).toBeUndefined();
  }
  for (const [numerator, denominator] of [
    [end + 1n, 1n],
    [1n, end + 1n],
  ] as const) {
    expect(beyondLimits({ ratio: { numerator, denominator } })?.member).toBe('ratio');
  }
});
