import { typeInName } from '../../engine/rules/questions/account-names.ts';
import type { Format, KnownAccount, Row } from '../format.ts';
import { formatById } from '../index.ts';
import { formsByFormat, formsOfLines } from '../information-returns.ts';
import type { ReadingOptions } from '../opening.ts';
import { type AccountName, accountNameText, readAccountName, sameAccount } from './account-names.ts';
import { type AccountFileHead, accountInLine, accountOfFile, userOfFile } from './account-statements.ts';

/**
 * The place in a file that names the account of its rows. `source` means that there is none, so the account gets the
 * source's name.
 */
export const accountStatements = ['row', 'section', 'title', 'file_name', 'request', 'source'] as const;
type AccountStatement = (typeof accountStatements)[number];

/** An account with rows in the file. */
export interface FileAccount {
  readonly account: string;
  readonly by: AccountStatement;
  /** The name that the file gives outside its rows, or null. */
  readonly stated: string | null;
  readonly rows: number;
}

/** The account for rows that do not name one. */
type CurrentAccount = Omit<FileAccount, 'rows'>;

/** Assigns accounts to the rows of a file and counts the rows in each account. */
export class FileAccounts {
  private current: CurrentAccount;
  private readonly sectionNames: boolean;
  /** The source's accounts that are already in the books. */
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
    // A mapping saved from an earlier file with these columns does not identify this file's account.
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

  /** The account for rows that do not name one. */
  get account(): string {
    return this.current.account;
  }

  /** Whether the file names the account outside its rows. */
  get isStatedAside(): boolean {
    return this.current.by !== 'request' && this.current.stated !== null;
  }

  /** Reads the account named in a line between rows. It applies to the rows below that line. */
  readSectionAccount(row: Row): AccountName | undefined {
    return this.sectionNames ? accountInLine(this.format.source, row) : undefined;
  }

  begin(section: AccountName): void {
    const stated = accountNameText(section, this.format.source);
    this.current = { account: this.resolveAccountName(section), by: 'section', stated };
  }

  /**
   * Converts an account name in a row to its name in the books, and counts the row. '' means that the row names none.
   */
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

  /**
   * Names the account after the source and the user's id. The first account is named after the source alone, because
   * most of the source's files do not contain the id.
   */
  private ofUser(user: string): CurrentAccount {
    const { source } = this.format;
    const stated = `${source} ${user}`;
    const knownAccount = this.known.find((known) => known.stated === stated)?.account;
    const isTaken = this.known.some((known) => known.account === source && (known.stated ?? stated) !== stated);
    return { account: knownAccount ?? (isTaken ? stated : source), by: 'title', stated };
  }

  private unify(named: string): string {
    // Wallet names are always written in full. Only brokers write the same account in several ways.
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
    // If a source's histories name no account, its form is about the source's only account.
    return accounts.length === 1 && accounts[0] === this.format.source ? this.format.source : undefined;
  }

  /**
   * Returns the source's only account if only forms named it. A history without account names then belongs to the same
   * account.
   */
  private accountOfForms(): string | undefined {
    if (formsOfLines.has(this.format.id) || !this.known.every(({ format }) => formsOfLines.has(format)))
      return undefined;
    const accounts = new Set(this.known.map(({ account }) => account));
    return accounts.size === 1 ? this.known[0]?.account : undefined;
  }
}

const accountsMax = 1_000;
