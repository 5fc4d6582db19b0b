import { typeInName } from '../../engine/rules/questions/account-names.ts';
import type { Format, KnownAccount, Row } from '../format.ts';
import { formatById } from '../index.ts';
import { formsByFormat, formsOfLines } from '../information-returns.ts';
import type { ReadingOptions } from '../opening.ts';
import { type AccountName, accountNameText, readAccountName, sameAccount } from './account-names.ts';
import { type AccountFileHead, accountInLine, accountOfFile, userOfFile } from './account-statements.ts';

/** How a file names the account of its rows. `source`: it does not, so the account gets the source's name. */
export const accountStatements = ['row', 'section', 'title', 'file_name', 'request', 'source'] as const;
export type AccountStatement = (typeof accountStatements)[number];

/** An account with rows in the file. */
export interface FileAccount {
  readonly account: string;
  readonly by: AccountStatement;
  /** The name in the file outside its rows, or null. */
  readonly stated: string | null;
  readonly rows: number;
}

/** The account of rows without one. */
type CurrentAccount = Omit<FileAccount, 'rows'>;

/** Assigns accounts to the rows of a file, and counts the rows of each. */
export class FileAccounts {
  private current: CurrentAccount;
  private readonly sectionNames: boolean;
  /** Accounts of the source in the books. */
  private readonly known: readonly KnownAccount[];
  private readonly unified = new Map<string, string>();
  private readonly counts = new Map<string, FileAccount & { rows: number }>();
  private last: (FileAccount & { rows: number }) | undefined;

  constructor(
    private readonly format: Format,
    head: AccountFileHead,
    options: Pick<ReadingOptions, 'account' | 'fileName' | 'knownAccounts' | 'mapping'>,
  ) {
    const { fileName, knownAccounts = [], mapping } = options;
    // A mapping from an earlier file with these columns does not identify this file's account.
    const account = options.account ?? mapping?.constants?.account;
    this.known = knownAccounts.filter((known) => formatById(known.format)?.source === format.source);
    this.sectionNames = format.sectioned !== true && format.id !== 'lotbook';
    const stated = this.sectionNames ? accountOfFile(format.source, head.preamble, fileName) : undefined;
    const user = userOfFile(format.source, head);
    const text = stated === undefined ? null : accountNameText(stated.name, format.source);
    if (account !== undefined) this.current = { account, by: 'request', stated: text };
    else if (stated !== undefined)
      this.current = { account: this.resolveAccountName(stated.name), by: stated.by, stated: text };
    else if (user !== undefined) this.current = this.ofUser(user);
    else this.current = { account: this.accountOfForms() ?? format.source, by: 'source', stated: null };
  }

  /** The account of rows without one. */
  get account(): string {
    return this.current.account;
  }

  /** The account named outside the rows, for rows without one. */
  get isStatedAside(): boolean {
    return this.current.by !== 'request' && this.current.stated !== null;
  }

  /** The account named by a line between the rows, for the rows below it. */
  readSectionAccount(row: Row): AccountName | undefined {
    return this.sectionNames ? accountInLine(this.format.source, row) : undefined;
  }

  begin(section: AccountName): void {
    const stated = accountNameText(section, this.format.source);
    this.current = { account: this.resolveAccountName(section), by: 'section', stated };
  }

  /** The account name in the books for an account in a row. '' for none. */
  take(named: string): string {
    const { account, by, stated } =
      named === '' ? this.current : { account: this.unify(named), by: 'row' as const, stated: null };
    if (this.last === undefined || this.last.account !== account || this.last.by !== by) {
      const key = `${by} ${account}`;
      this.last = this.counts.get(key) ?? { account, by, stated, rows: 0 };
      this.counts.set(key, this.last);
    }
    this.last.rows += 1;
    return account;
  }

  end(): FileAccount[] {
    return [...this.counts.values()].slice(0, accountsMax);
  }

  /** Most files of the source do not name the user, so the first account has just the source's name. */
  private ofUser(user: string): CurrentAccount {
    const { source } = this.format;
    const stated = `${source} ${user}`;
    const own = this.known.find((known) => known.stated === stated)?.account;
    const isTaken = this.known.some((known) => known.account === source && (known.stated ?? stated) !== stated);
    return { account: own ?? (isTaken ? stated : source), by: 'title', stated };
  }

  private unify(named: string): string {
    // Wallet names are complete. Only brokers write one account in several ways.
    if (this.known.length === 0 || formsByFormat.get(this.format.id) !== '1099-B') return named;
    let account = this.unified.get(named);
    if (account === undefined) {
      const name = readAccountName(named);
      account = name === undefined || this.isKnown(named) ? named : (this.sameAs(name) ?? named);
      if (this.unified.size < accountsMax) this.unified.set(named, account);
    }
    return account;
  }

  private isKnown(account: string): boolean {
    return this.known.some((known) => known.account === account);
  }

  private resolveAccountName(name: AccountName): string {
    const text = accountNameText(name, this.format.source);
    const called = new Set(this.known.filter(({ stated }) => stated === text).map(({ account }) => account));
    if (called.size === 1) return [...called][0] as string;
    return this.sameAs(name) ?? text;
  }

  private sameAs(name: AccountName): string | undefined {
    const accounts = [...new Set(this.known.map(({ account }) => account))];
    const same = sameAccount(name, accounts, this.format.source);
    if (same !== undefined || !formsOfLines.has(this.format.id) || typeInName(name.label) !== null) return same;
    // A form from a source whose histories name no account is about its only account.
    return accounts.length === 1 && accounts[0] === this.format.source ? this.format.source : undefined;
  }

  /** The only account of the source, if only forms named it. A history without account names continues it. */
  private accountOfForms(): string | undefined {
    if (formsOfLines.has(this.format.id) || !this.known.every(({ format }) => formsOfLines.has(format)))
      return undefined;
    const accounts = new Set(this.known.map(({ account }) => account));
    return accounts.size === 1 ? this.known[0]?.account : undefined;
  }
}

const accountsMax = 1_000;
