import { Cells, HeaderColumns, normalizeHeader } from '../cells/cells.ts';
import { toRejectedOutcome, toSkippedOutcome } from '../cells/drafts.ts';
import { type Rejection, rejections, skips } from '../cells/reasons.ts';
import type { Layout, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import { CorporateActions } from '../tables/corporate-actions.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { readCodes } from './ibkr-codes.ts';
import type { IbkrStatement } from './ibkr-sections.ts';

export interface FlexSections {
  readonly layouts: readonly Layout[];
  readonly zone: string;
  readonly codesColumn: string;
  readTrade(cells: Cells): Outcome;
  readCash(cells: Cells): Outcome;
  readFunds(cells: Cells): Outcome;
  /** Reads a row with the columns of an activity statement. */
  readAction(cells: Cells, statement: IbkrStatement): Outcome | readonly Outcome[];
  readTransfer(cells: Cells, statement: IbkrStatement): Outcome | readonly Outcome[];
}

/**
 * Reads a Flex query. Each section has its own header. A query may contain a transaction at several levels of detail,
 * and income in two sections. The most detailed level wins, and cash transactions win over the statement of funds.
 */
export class FlexReader implements Reader {
  private readonly orders = new CoarserRows(skips.inExecutions);
  private readonly summaries = new CoarserRows(skips.inExecutions);
  private readonly cashSummaries = new CoarserRows(skips.inDetails);
  private readonly baseFunds = new CoarserRows(skips.inPaymentCurrency);
  private readonly funds = new CoarserRows(skips.inCashTransactions);
  private readonly fundsTrades = new CoarserRows(skips.inTrades);
  private readonly actionSummaries = new CoarserRows(skips.inDetails);
  /** Corporate actions by account. */
  private readonly statements = new Map<string, IbkrStatement>();
  private section: Reader;

  constructor(
    private readonly sections: FlexSections,
    private readonly firstHeader: Row,
    private readonly context: ReadingContext,
    private header: Row = firstHeader,
  ) {
    this.section = this.open(firstHeader);
  }

  read(row: Row): readonly Outcome[] {
    if (/^(?:BO[FAS]|EO[FAS])$/.test(row.cells[0]?.trim() ?? ''))
      return [toSkippedOutcome(row.line, skips.queryMarker)];
    if (!isHeader(row)) return this.section.read(row);
    const ended = this.section.end();
    this.header = row;
    this.section = this.open(row);
    return [...ended, toSkippedOutcome(row.line, skips.headerRow)];
  }

  end(): readonly Outcome[] {
    const coarser = [this.cashSummaries, this.actionSummaries, this.baseFunds, this.funds, this.fundsTrades];
    const ended = [...this.section.end(), ...coarser.flatMap((rows) => rows.end())];
    return [...ended, ...[...this.statements.values()].flatMap(({ actions }) => actions.end())];
  }

  isOfOtherHeader(row: Row): boolean {
    return isHeader(row) || this.header.cells.join('\n') !== this.firstHeader.cells.join('\n');
  }

  private open(header: Row): Reader {
    const columns = new HeaderColumns(header);
    const layout = this.sections.layouts.find(({ required }) => hasAll(header, required));
    if (layout === undefined) return unread(header);
    const rows = (readRow: (cells: Cells) => readonly Outcome[]): Reader => ({
      read: (row) => readRow(new Cells(row, columns, this.context, { zone: this.sections.zone })),
      end: () => [],
    });
    if (layout.id === 'cash') return rows((cells) => this.cash(cells));
    if (layout.id === 'funds') return rows((cells) => this.statement(cells));
    if (layout.id === 'actions') return rows((cells) => this.action(cells));
    if (layout.id === 'transfers') return rows((cells) => this.transfer(cells));
    const trades = rows((cells) => this.trade(cells));
    const end = (): Outcome[] => [...this.orders.end(), ...this.summaries.end()];
    return withDeliveries({ ...trades, end }, { marksEach: columns.has(this.sections.codesColumn) });
  }

  private trade(cells: Cells): readonly Outcome[] {
    const level = levelOf(cells);
    const outcome = (): Outcome => this.sections.readTrade(cells);
    if (level === 'ORDER') return [...this.summaries.skipHeldRows(), ...this.orders.take(cells, outcome)];
    if (!/^(?:|EXECUTION|DETAIL)$/.test(level))
      return this.summaries.take(cells, () => refuse(cells, rejections.executionsMissing));
    return [
      ...this.orders.skipHeldRows(),
      ...this.summaries.skipHeldRows(),
      ...this.fundsTrades.skipHeldRows(),
      outcome(),
    ];
  }

  private cash(cells: Cells): readonly Outcome[] {
    const before = this.funds.skipHeldRows();
    const outcome = (): Outcome => this.sections.readCash(cells);
    if (levelOf(cells) === 'SUMMARY') return [...before, ...this.cashSummaries.take(cells, outcome)];
    return [...before, ...this.cashSummaries.skipHeldRows(), outcome()];
  }

  private action(cells: Cells): readonly Outcome[] {
    if (readCodes(cells.text('Code')).includes('CA')) return [refuse(cells, rejections.cancelsTrade)];
    const read = (): readonly Outcome[] => [this.sections.readAction(cells, this.statementOf(cells))].flat();
    if (levelOf(cells) === 'SUMMARY') return this.actionSummaries.take(cells, read);
    return [...this.actionSummaries.skipHeldRows(), ...read()];
  }

  /** Lots repeat the transfer that they are part of. */
  private transfer(cells: Cells): readonly Outcome[] {
    if (!/^(?:|TRANSFER|DETAIL)$/.test(levelOf(cells))) return [cells.skip(skips.inTransferRow)];
    return [this.sections.readTransfer(cells, this.statementOf(cells))].flat();
  }

  private statementOf(cells: Cells): IbkrStatement {
    const account = cells.text('AccountAlias') || cells.text('ClientAccountID');
    const known = this.statements.get(account);
    if (known !== undefined) return known;
    const statement = { account, currency: '', splits: new Set<string>(), actions: new CorporateActions() };
    this.statements.set(account, statement);
    return statement;
  }

  private statement(cells: Cells): readonly Outcome[] {
    const read = (): readonly Outcome[] => {
      if (/^(?:BUY|SELL|ASSIGN|EXE)$/.test(cells.text('ActivityCode').toUpperCase()))
        return this.fundsTrades.take(cells, () => refuse(cells, rejections.tradesSectionMissing));
      return this.funds.take(cells, () => this.sections.readFunds(cells));
    };
    if (levelOf(cells) === 'BASECURRENCY') return this.baseFunds.take(cells, read);
    return [...this.baseFunds.skipHeldRows(), ...read()];
  }
}

function refuse(cells: Cells, rejection: Rejection): Outcome {
  return cells.rejected(null, rejection);
}

function levelOf(cells: Cells): string {
  return cells.text('LevelOfDetail').toUpperCase();
}

/** Holds rows that count only if the file contains no more detailed ones. */
class CoarserRows {
  private isFiner = false;
  private held: { readonly line: number; readonly read: () => readonly Outcome[] }[] = [];

  constructor(private readonly reason: string) {}

  take({ line }: Cells, read: () => Outcome | readonly Outcome[]): readonly Outcome[] {
    if (this.isFiner) return [toSkippedOutcome(line, this.reason)];
    this.held.push({ line, read: () => [read()].flat() });
    return [];
  }

  /** Skips the held rows and all later ones, because the file contains a more detailed row. */
  skipHeldRows(): readonly Outcome[] {
    this.isFiner = true;
    const outcomes = this.held.map(({ line }) => toSkippedOutcome(line, this.reason));
    this.held = [];
    return outcomes;
  }

  end(): readonly Outcome[] {
    const { held } = this;
    this.held = [];
    return held.flatMap(({ read }) => read());
  }
}

const headerNames: ReadonlySet<string> = new Set(['CurrencyPrimary', 'ClientAccountID', 'FromCurrency']);

function isHeader({ cells }: Row): boolean {
  return cells[0]?.trim() === 'HEADER' || cells.some((cell) => headerNames.has(cell.trim()));
}

function hasAll(header: Row, required: readonly string[]): boolean {
  const names = new Set(header.cells.map(normalizeHeader));
  return required.every((name) => names.has(normalizeHeader(name)));
}

/**
 * Codes of sections without transactions: accounts, net asset value, performance, cash, positions, accruals, rates,
 * securities.
 */
const withoutTransactions = /^(?:ACCT|CNAV|EQUT|MTMP|FIFO|CRTT|POST|PPOS|ODIV|CDIV|RATE|SECU|FXPO)$/;

/** Skips a section that is not supported. Without codes, positions and rates are recognized by their columns. */
function unread(header: Row): Reader {
  const code = header.cells[0]?.trim() === 'HEADER' ? (header.cells[1]?.trim() ?? '') : '';
  const holdsNone =
    withoutTransactions.test(code) ||
    hasAll(header, ['MarkPrice', 'PositionValue']) ||
    hasAll(header, ['FromCurrency']);
  const toOutcome = ({ line, cells }: Row): Outcome =>
    holdsNone
      ? toSkippedOutcome(line, skips.sectionWithoutTransactions)
      : toRejectedOutcome({ line, column: null, ...rejections.sectionNotImported, cells });
  return { read: (row) => [toOutcome(row)], end: () => [] };
}
