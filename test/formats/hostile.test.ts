import { describe, expect, test } from 'bun:test';
import { formatMoney } from '../../src/base/decimal.ts';
import { Refusal } from '../../src/base/refusal.ts';
import { refusedFiles } from './hostile-files.ts';
import { readWhole } from './reading.ts';
import { spoiltFiles } from './spoilt-files.ts';

/** Tests malicious and broken files. test/imports/hostile.test.ts uploads the same ones. */

const header = 'date,type,account,asset,quantity,amount,note';
const line = '2024-01-02,buy,Home,ACME,1,10,';

describe('refused files', () => {
  for (const { what, file, code, says, at, limits } of refusedFiles) {
    test(what, async () => {
      const refusal = await readWhole(file, {}, limits).catch((error: unknown) => error);
      if (!(refusal instanceof Refusal)) throw refusal;
      expect(refusal.code).toBe(code as typeof refusal.code);
      if (says !== undefined) expect(refusal.detail).toMatch(says);
      if (at !== undefined) expect(refusal.more.errors?.[0]).toMatchObject(at);
    });

    test(`${what}: the same error regardless of how the bytes are cut`, async () => {
      const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
      const halves = [bytes.subarray(0, 3), bytes.subarray(3, 4), bytes.subarray(4, 65_537), bytes.subarray(65_537)];
      const [whole, cut] = await Promise.all(
        [bytes, halves].map((source) => readWhole(source, {}, limits).catch((error: unknown) => error)),
      );
      expect(String(cut)).toBe(String(whole));
    });
  }
});

describe('files that are read except for their bad lines', () => {
  for (const { what, file, read, rejected } of spoiltFiles) {
    test(what, async () => {
      const { outcomes, end } = await readWhole(file);
      const issues = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
      expect(end.read).toBe(read);
      expect(issues.map((issue) => `${issue.line} ${issue.column ?? ''}`)).toEqual([...rejected]);
    });
  }

  test('a number with an exponent and a lookalike are read exactly', async () => {
    const file = `${header}\n${line.replace(',10,', ',1e5,')}\n${line.replace(',10,', ',"$1,234.50",')}\n`;
    expect((await readWhole(file)).drafts.map(({ amount }) => formatMoney(amount ?? (0n as never)))).toEqual([
      '100000.00',
      '1234.50',
    ]);
  });

  test('a formula stays text', async () => {
    const { drafts } = await readWhole(`${header}\n${line}=HYPERLINK("x")\n`);
    expect(drafts[0]?.note).toBe('=HYPERLINK("x")');
  });
});
