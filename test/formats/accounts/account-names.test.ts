import { describe, expect, test } from 'bun:test';
import { accountNameText, readAccountName, sameAccount } from '../../../src/formats/accounts/account-names.ts';

describe('the name of an account', () => {
  test.each([
    ['Individual ...123', 'Individual ...123'],
    ['Roth Contributory IRA ...456', 'Roth Contributory IRA ...456'],
    ['XXXX-4321', 'Broker 4321'],
    ['X12345678', 'Broker 5678'],
    ['#####1234', 'Broker 1234'],
    ['1234-5678', 'Broker 5678'],
    ['Individual Brokerage -1234', 'Individual Brokerage ...1234'],
    ['Rollover IRA (Z12345678)', 'Rollover IRA ...5678'],
    ['General Investing ...XXX', 'General Investing'],
    ['My Roth 401(k)', 'My Roth 401(k)'],
    ['Savings ending in 9876', 'Savings ...9876'],
  ])('stores the name %p as %p in the books', (text, name) => {
    const read = readAccountName(text);
    expect(read === undefined ? '' : accountNameText(read, 'Broker')).toBe(name);
  });

  test.each(['', 'All_Accounts', 'all accounts', 'Accounts'])(
    'does not take %p for the name of a single account',
    (text) => {
      expect(readAccountName(text)).toBeUndefined();
    },
  );
});

describe('an account under two names', () => {
  const same = (text: string, known: readonly string[]): string | undefined => {
    const name = readAccountName(text);
    return name === undefined ? undefined : sameAccount(name, known, 'Schwab');
  };

  test('is matched if it is the only account with the same last digits', () => {
    expect(same('XXXX-5123', ['Individual ...123', 'Roth IRA ...456'])).toBe('Individual ...123');
    expect(same('Individual ...123', ['Schwab 5123', 'Schwab 6456'])).toBe('Schwab 5123');
    expect(same('Individual_XXX123', ['Individual ...123'])).toBe('Individual ...123');
  });

  test('is not matched if several accounts fit, or if the labels or digits differ', () => {
    expect(same('XXXX-5123', ['Individual ...123', 'Roth IRA ...123'])).toBeUndefined();
    expect(same('Roth IRA ...123', ['Individual ...123'])).toBeUndefined();
    expect(same('XXXX-5124', ['Individual ...123'])).toBeUndefined();
    expect(same('Individual ...123', ['Schwab'])).toBeUndefined();
  });
});
