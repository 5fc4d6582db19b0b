import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { looksTaxFree } from '../../../src/engine/rules/questions/account-names.ts';
import type { Draft } from '../../../src/formats/format.ts';
import { readWhole } from '../reading.ts';

/**
 * How each source names the account in a file. Each case has two files: exports from two accounts with the same rows.
 */
interface TwoFiles {
  readonly source: string;
  /** The fixture whose rows both files contain. */
  readonly fixture: string;
  /** Lines above the header, in place of those in the fixture. */
  readonly titles?: readonly [string, string];
  readonly files?: readonly [string, string];
  /** The part of the fixture that is left out. */
  readonly without?: RegExp;
  /** Text in the fixture, and its replacement in each file. */
  readonly cells?: readonly [RegExp, string, string];
  readonly accounts: readonly [string, string];
}

/** The cells in the columns Account and Account Number. */
const ofAccountColumns = /(?<=^[^,\n]*,)[^,\n]*,[^,\n]*,/gm;

const twoFiles: readonly TwoFiles[] = [
  {
    source: 'Schwab, title',
    fixture: 'schwab',
    titles: [
      '"Transactions  for account Joint Tenant ...871 as of 02/03/2026 09:14:00 AM ET"',
      '"Transactions  for account Rollover IRA ...872 as of 02/03/2026 09:15:00 AM ET"',
    ],
    accounts: ['Joint Tenant ...871', 'Rollover IRA ...872'],
  },
  {
    source: 'Schwab, title with a masked number',
    fixture: 'schwab',
    titles: [
      '"Transactions  for account XXXX-7781 as of 02/03/2021 18:01:20 ET"',
      '"Transactions  for account XXXX-7782 as of 02/03/2021 18:01:20 ET"',
    ],
    accounts: ['Schwab 7781', 'Schwab 7782'],
  },
  {
    source: 'Schwab, file name',
    fixture: 'schwab',
    titles: ['', ''],
    files: [
      'Joint_Tenant_XXX871_Transactions_20260203-091400.csv',
      'Roth_Contributory_IRA_XXX872_Transactions_20260203-091500 (1).csv',
    ],
    accounts: ['Joint Tenant ...871', 'Roth Contributory IRA ...872'],
  },
  {
    source: 'Schwab realized gain/loss, title',
    fixture: 'schwab-realized',
    without: /^"(?:Joint|IRA) \.\.\..*\n/gm,
    titles: [
      '"Realized Gain/Loss - Lot Details for Joint Tenant ...871 as of Thu Jan 01 12:00:00 EST 2026 from 12/01/2025 to 01/01/2026"',
      '"Realized Gain/Loss - Lot Details for Rollover IRA ...872 as of Thu Jan 01 12:00:00 EST 2026 from 12/01/2025 to 01/01/2026"',
    ],
    accounts: ['Joint Tenant ...871', 'Rollover IRA ...872'],
  },
  {
    source: 'Schwab open lots, title',
    fixture: 'schwab-lots',
    cells: [/XXXX-4321/, 'XXXX-7781', 'XXXX-7782'],
    accounts: ['Schwab 7781', 'Schwab 7782'],
  },
  {
    source: 'Schwab 1099 composite, preamble',
    fixture: 'schwab-1099',
    cells: [/INVENTED/, '1111-7781', '1111-7782'],
    accounts: ['Schwab 7781', 'Schwab 7782'],
  },
  {
    source: 'E*TRADE, preamble',
    fixture: 'etrade',
    cells: [/#####4321/, '#####7781', '#####7782'],
    accounts: ['E*TRADE 7781', 'E*TRADE 7782'],
  },
  {
    source: 'E*TRADE, newer preamble',
    fixture: 'etrade',
    titles: [
      'All Transactions Activity Types\n\nAccount Activity for Individual Brokerage -7781 from Current Year\n\nTotal:,12.00\n',
      'All Transactions Activity Types\n\nAccount Activity for Roth IRA -7782 from Current Year\n\nTotal:,12.00\n',
    ],
    accounts: ['Individual Brokerage ...7781', 'Roth IRA ...7782'],
  },
  {
    source: 'Fidelity, file name',
    fixture: 'fidelity',
    without: ofAccountColumns,
    files: ['History_for_Account_X11117781.csv', 'History_for_Account_Z11117782 (2).csv'],
    accounts: ['Fidelity 7781', 'Fidelity 7782'],
  },
  {
    source: 'Fidelity, line above the header',
    fixture: 'fidelity',
    without: ofAccountColumns,
    titles: ['Individual - TOD X11117781', 'Rollover IRA: Z11117782'],
    accounts: ['Individual - TOD ...7781', 'Rollover IRA ...7782'],
  },
  {
    source: 'tastytrade, file name',
    fixture: 'tastytrade',
    files: [
      'tastytrade_transactions_history_x5WT17781_240101_to_241231.csv',
      'tastytrade_transactions_history_x5WT17782_240101_to_241231.csv',
    ],
    accounts: ['tastytrade 7781', 'tastytrade 7782'],
  },
  {
    source: 'Firstrade, file name',
    fixture: 'firstrade',
    files: ['FT_CSV_91117781.csv', 'FT_CSV_91117782.csv'],
    accounts: ['Firstrade 7781', 'Firstrade 7782'],
  },
  {
    source: 'Robinhood 1099, column',
    fixture: 'robinhood-1099',
    cells: [/(?<=^1099-B,)X(?=,)/gm, '881117781', '881117782'],
    accounts: ['Robinhood 7781', 'Robinhood 7782'],
  },
  {
    source: 'Fidelity, columns',
    fixture: 'fidelity',
    cells: [/(?<=^\d[^,\n]*,)[^,\n]*,[^,\n]*,/gm, '"Individual","X11117781",', '"Rollover IRA","Z11117782",'],
    accounts: ['Individual 7781', 'Rollover IRA 7782'],
  },
  {
    source: 'Vanguard, column',
    fixture: 'vanguard',
    cells: [/^\d{4,}(?=,)/gm, '11117781', '11117782'],
    accounts: ['Vanguard 7781', 'Vanguard 7782'],
  },
  {
    source: 'Merrill, columns',
    fixture: 'merrill',
    cells: [/"(?:IRA|CMA)-Edge","[A-Z]{2}-\d+"/g, '"CMA-Edge","CC-17781"', '"IRA-Edge","CC-17782"'],
    accounts: ['CMA-Edge 7781', 'IRA-Edge 7782'],
  },
  {
    source: 'Chase, columns',
    fixture: 'chase',
    cells: [/"Self-Directed","[.\d]+"/g, '"Self-Directed","...7781"', '"Traditional IRA","...7782"'],
    accounts: ['Self-Directed 7781', 'Traditional IRA 7782'],
  },
  {
    source: 'Interactive Brokers Flex, column',
    fixture: 'ibkr-flex',
    cells: [/U\d{7}/g, 'U1117781', 'U1117782'],
    accounts: ['U1117781', 'U1117782'],
  },
  {
    source: 'Webull, generic preamble',
    fixture: 'webull',
    titles: ['Account Name,My Brokerage\nAccount Number,5AB17781', 'Account Name,My IRA\nAccount Number,5AB17782'],
    accounts: ['My Brokerage ...7781', 'My IRA ...7782'],
  },
  {
    source: 'Robinhood, generic file name',
    fixture: 'robinhood',
    files: ['robinhood_account_11117781.csv', 'robinhood_account_11117782.csv'],
    accounts: ['Robinhood 7781', 'Robinhood 7782'],
  },
];

describe('files from two accounts at one broker', () => {
  for (const { source, accounts, ...how } of twoFiles)
    test(`keep the rows of both accounts: ${source}`, async () => {
      const [one, other] = [await readDrafts(how, 0), await readDrafts(how, 1)];
      expect(accountsIn(one)).toEqual([accounts[0]]);
      expect(accountsIn(other)).toEqual([accounts[1]]);
      expect(other.map((draft) => ({ ...draft, account: '' }))).toEqual(
        one.map((draft) => ({ ...draft, account: '' })),
      );
      expect(looksTaxFree(accounts[1])).toBe(/IRA/.test(accounts[1]));
    });

  test('keep the rows of both accounts if one file lists them one after the other', async () => {
    const fixture = withoutTitle(readFixture('schwab'));
    const title = (account: string): string => `"Transactions  for account ${account} as of 02/03/2026 09:14:00 AM ET"`;
    const { drafts, end } = await readWhole(
      [title('Joint ...871'), fixture.trimEnd(), title('Roth IRA ...872'), fixture].join('\n'),
    );
    const [one, other] = [drafts.slice(0, drafts.length / 2), drafts.slice(drafts.length / 2)];
    expect(accountsIn(drafts)).toEqual(['Joint ...871', 'Roth IRA ...872']);
    expect(other.map(({ line: _, ...draft }) => ({ ...draft, account: '' }))).toEqual(
      one.map(({ line: _, ...draft }) => ({ ...draft, account: '' })),
    );
    expect(end.accounts).toEqual([
      { account: 'Joint ...871', by: 'title', stated: 'Joint ...871', rows: one.length },
      { account: 'Roth IRA ...872', by: 'section', stated: 'Roth IRA ...872', rows: one.length },
    ]);
  });

  test('the account in the request takes precedence over the title in the file', async () => {
    const csv = `"Transactions  for account Joint ...871 as of 02/03/2026"\n${readFixture('schwab')}`;
    expect(accountsIn((await readWhole(csv, { account: 'Mine' })).drafts)).toEqual(['Mine']);
  });

  test.each([
    ...['transactions 2025.csv', 'single_account_2024_dollar.csv', 'account-2025-12-31.csv', 'my account_20251231.csv'],
    ...['2024_transactions.csv', 'account_2024.csv', 'Acct 2023-2024.csv'],
  ])('a year or a day in a file name, as in %p, is no account', async (fileName) => {
    const { drafts, end } = await readWhole(withoutTitle(readFixture('schwab')), { fileName });
    expect(accountsIn(drafts)).toEqual(['Schwab']);
    expect(end.accounts.map(({ by }) => by)).toEqual(['source']);
  });

  test('coin wallets in a preamble are not accounts', async () => {
    expect(accountsIn((await readWhole(readFixture('coinbase-transfers'))).drafts)).toEqual(['Coinbase']);
  });
});

describe('files from two users of an exchange', () => {
  const users: readonly (readonly [fixture: string, account: string, of: (user: string) => string])[] = [
    ['coinbase', 'Coinbase', (user) => `Transactions\nUser,Jane,00000000-0000-0000-0000-00000000${user}\n`],
    ['kucoin', 'KuCoin', (user) => `10000${user}`],
    ['binance-statement', 'Binance', (user) => `10000${user}`],
  ];
  for (const [fixture, account, of] of users)
    test(`keep the rows of both users, and the account of the first file is named after the source: ${fixture}`, async () => {
      const fileOf = (user: string): string => {
        const text = readFixture(fixture);
        if (fixture === 'coinbase') return of(user) + withoutTitle(text);
        const [header, ...lines] = text.trimEnd().split('\n');
        return [header, ...lines.map((line) => line.replace(/^[^,]*/, of(user)))].join('\n');
      };
      const one = await readWhole(fileOf('7781'));
      const knownAccounts = one.end.accounts.map((known) => ({ ...known, format: one.format }));
      const other = await readWhole(fileOf('7782'), { knownAccounts });
      const again = await readWhole(fileOf('7781'), {
        knownAccounts: [...knownAccounts, ...other.end.accounts.map((known) => ({ ...known, format: other.format }))],
      });
      expect(one.drafts.length).toBeGreaterThan(0);
      expect([one, other, again].map(({ drafts }) => accountsIn(drafts))).toEqual([
        [account],
        [`${account} 7782`],
        [account],
      ]);
    });
});

describe('an account that the books list under another name', () => {
  const known = (account: string, format = 'schwab') => ({ account, format });
  const title = '"Transactions  for account Joint ...871 as of 02/03/2026"\n';
  const readAccount = async (text: string, ...knownAccounts: ReturnType<typeof known>[]): Promise<string[]> =>
    accountsIn((await readWhole(text, { knownAccounts })).drafts);

  test('keeps the name in the books if it is the only match', async () => {
    expect(await readAccount(title + readFixture('schwab'), known('Schwab 5871'))).toEqual(['Schwab 5871']);
    expect(await readAccount(title + readFixture('schwab'), known('Schwab 5871'), known('Joint ...871'))).toEqual([
      'Joint ...871',
    ]);
  });

  test('becomes a new account if two accounts match, or if the match is at another broker', async () => {
    expect(await readAccount(title + readFixture('schwab'), known('Schwab 5871'), known('Schwab 6871'))).toEqual([
      'Joint ...871',
    ]);
    expect(await readAccount(title + readFixture('schwab'), known('Fidelity 5871', 'fidelity'))).toEqual([
      'Joint ...871',
    ]);
  });

  test('a form joins the only account at its broker, and a history imported after a form joins the account of the form', async () => {
    const form = readFixture('robinhood-1099');
    const [named] = accountsIn((await readWhole(form)).drafts);
    expect(await readAccount(form, known('Robinhood', 'robinhood'))).toEqual(['Robinhood']);
    expect(await readAccount(readFixture('robinhood'), known(named ?? '', 'robinhood-1099'))).toEqual([named ?? '']);
    expect(await readAccount(form, known('Robinhood', 'robinhood'), known('Robinhood 1', 'robinhood'))).toEqual([
      named ?? '',
    ]);
  });
});

async function readDrafts(
  { fixture, titles, files, cells, without }: Omit<TwoFiles, 'source' | 'accounts'>,
  which: 0 | 1,
) {
  const text = readFixture(fixture).replace(without ?? /$^/, '');
  const titled = titles === undefined ? text : `${titles[which]}\n${withoutTitle(text)}`;
  const written = cells === undefined ? titled : titled.replace(cells[0], cells[1 + which] as string);
  const { drafts } = await readWhole(written, files === undefined ? {} : { fileName: files[which] });
  return drafts;
}

function withoutTitle(text: string): string {
  const lines = text.split('\n');
  return lines.slice(lines.findIndex((line) => line.split(',').length > 5)).join('\n');
}

function accountsIn(drafts: readonly Draft[]): string[] {
  return [...new Set(drafts.map(({ account }) => account))];
}

function readFixture(id: string): string {
  return readFileSync(join(import.meta.dir, '../../fixtures/formats', `${id}.csv`), 'utf8');
}
