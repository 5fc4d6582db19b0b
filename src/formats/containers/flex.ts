import { csvRecord } from '../../base/csv.ts';
import { Refusal } from '../../base/refusal.ts';
import { damagedFlex, tooMuch } from './container-refusals.ts';
import { parseXml, type XmlTag } from './xml.ts';

/**
 * Writes an Interactive Brokers Flex query (XML) as the CSV of the same query, which `sources/ibkr-flex.ts` reads. Each
 * section has the code and the columns of the CSV. Corporate actions and transfers have the columns of an activity
 * statement. Sections without transactions follow the others, so that a reader finds the transactions first.
 */
export async function* csvOfFlex(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const fail = (what: string): never => {
    throw damagedFlex(`the file ${what}`);
  };
  const sections = new FlexSectionRows(fail);
  for await (const _piece of parseXml(sections.count(texts), sections, fail)) yield sections.take();
  yield sections.finish();
}

interface FlexSection {
  /** The code of the section in a CSV. '' for a section that is not known. */
  readonly code: string;
  readonly hasTransactions?: true;
  /** The names of columns that differ from those of attributes. */
  readonly columns: Readonly<Record<string, string>>;
  /** Changes the cells of a row, by column. */
  readonly change?: (cells: Record<string, string>, element: string) => void;
}

const common: Readonly<Record<string, string>> = {
  accountId: 'ClientAccountID',
  acctAlias: 'AccountAlias',
  currency: 'CurrencyPrimary',
  assetCategory: 'AssetClass',
  putCall: 'Put/Call',
};
const trades = {
  ...common,
  buySell: 'Buy/Sell',
  notes: 'Notes/Codes',
  cost: 'CostBasis',
  accruedInt: 'AccruedInterest',
  openCloseIndicator: 'Open/CloseIndicator',
  ibCommission: 'IBCommission',
  ibCommissionCurrency: 'IBCommissionCurrency',
};
/** The columns of an activity statement. */
const statement = {
  ...common,
  currency: 'Currency',
  assetCategory: 'Asset Category',
  dateTime: 'Date/Time',
  reportDate: 'Report Date',
};

/** The levels of detail of elements in `Trades`. */
const levels: Readonly<Record<string, string>> = {
  Trade: 'EXECUTION',
  Order: 'ORDER',
  SymbolSummary: 'SYMBOL_SUMMARY',
  AssetSummary: 'ASSET_SUMMARY',
  Lot: 'CLOSED_LOT',
  WashSale: 'WASH_SALE',
};

/** The names of asset classes in activity statements. */
const categories: Readonly<Record<string, string>> = {
  STK: 'Stocks',
  OPT: 'Equity and Index Options',
  BOND: 'Bonds',
  BILL: 'Treasury Bills',
  FUND: 'Funds',
  CRYPTO: 'Crypto',
  WAR: 'Warrants',
  CASH: 'Cash',
};

function nameCategory(cells: Record<string, string>): void {
  const category = cells['Asset Category'] ?? '';
  cells['Asset Category'] = categories[category.toUpperCase()] ?? category;
  cells.Symbol ||= cells.Isin ?? '';
}

/** The sections with transactions, by their elements. */
const transactionSections: Readonly<Record<string, FlexSection>> = {
  Trades: {
    code: 'TRNT',
    hasTransactions: true,
    columns: trades,
    change: (cells, element) => {
      cells.LevelOfDetail ||= levels[element] ?? element;
      cells.TradeDate ||= (cells.DateTime ?? '').replace(/[;, ].*$/, '');
    },
  },
  CashTransactions: {
    code: 'CTRN',
    hasTransactions: true,
    columns: common,
    change: (cells) => {
      cells.SettleDate ||= cells.DateTime || cells.ReportDate || '';
    },
  },
  StmtFunds: { code: 'STFU', hasTransactions: true, columns: common },
  CorporateActions: {
    code: 'CORP',
    hasTransactions: true,
    columns: statement,
    change: (cells) => {
      nameCategory(cells);
      const description = [cells.Description, cells.ActionDescription].find((text = '') => /^[^()]*\(.+\) /.test(text));
      cells.Description = description ?? cells.Description ?? '';
      cells['Date/Time'] ||= cells['Report Date'] ?? '';
    },
  },
  Transfers: {
    code: 'TRFR',
    hasTransactions: true,
    columns: { ...statement, dateTime: 'DateTime' },
    change: (cells, element) => {
      nameCategory(cells);
      cells.Date ||= cells.DateTime || cells['Report Date'] || '';
      cells.LevelOfDetail ||= element === 'Transfer' ? 'TRANSFER' : 'LOT';
    },
  },
};

/** Sections that only repeat or value what other sections contain, with the codes that the reader skips. */
const otherSections: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    ACCT: 'AccountInformation',
    CNAV: 'ChangeInNAV ChangeInPositionValues',
    CRTT: 'CashReport',
    EQUT: 'EquitySummaryInBase NetStockPositionSummary',
    MTMP: 'MTMPerformanceSummaryInBase MTDYTDPerformanceSummary',
    FIFO: 'FIFOPerformanceSummaryInBase',
    POST: 'OpenPositions ComplexPositions',
    PPOS: 'PriorPeriodPositions',
    FXPO: 'FxPositions FxLots FxTransactions',
    CDIV: 'ChangeInDividendAccruals InterestAccruals TierInterestDetails HardToBorrowDetails',
    ODIV: 'OpenDividendAccruals',
    RATE: 'ConversionRates',
    SECU: 'SecuritiesInfo',
  }).flatMap(([code, names]) => names.split(' ').map((name) => [name, code])),
);

const [depthMax, tagCharactersMax, heldCharactersMax] = [16, 4 * 1024 ** 2, 32 * 1024 ** 2];

/** Collects the rows of sections. */
class FlexSectionRows {
  private readonly path: string[] = [];
  private section: FlexSection | undefined;
  /** The account of the statement, for rows that do not name it. */
  private account = '';
  private lines: string[] = [];
  private header = '';
  /** Rows of sections without transactions. */
  private held: string[] = [];
  private heldCharacters = 0;
  private heldHeader = '';
  private hasTransactions = false;
  private charactersInTag = 0;
  private message: string | undefined;

  constructor(private readonly fail: (what: string) => never) {}

  /** Passes texts on. A tag that never ends would fill the memory. */
  async *count(texts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const text of texts) {
      this.charactersInTag += text.length;
      if (this.charactersInTag > tagCharactersMax) this.fail('has a tag or a text that is too long');
      yield text;
    }
  }

  take(): string {
    return this.lines.splice(0).join('');
  }

  finish(): string {
    if (this.message !== undefined)
      throw new Refusal(
        'not_csv',
        `This is an answer without data. Interactive Brokers answered "${this.message.trim().slice(0, 200)}". Run the query again.`,
      );
    if (!this.hasTransactions)
      throw new Refusal(
        'not_csv',
        'This Flex query has no trades and no cash transactions. Add the sections "Trades" and "Cash Transactions" to the query.',
      );
    return [...this.lines, ...this.held].join('');
  }

  open(name: string, { attributes }: XmlTag, line: number): void {
    this.charactersInTag = 0;
    if (this.path.length === 0 && !roots.has(name)) this.fail(`begins with ${name}, which is not part of a Flex query`);
    if (this.path.length === depthMax) this.fail(`has elements that are nested more than ${depthMax} deep`);
    if (name === 'ErrorMessage') this.message = '';
    if (name === 'FlexStatement') this.account = attributes.accountId ?? '';
    if (this.path.at(-1) === 'FlexStatement') this.section = openSection(name);
    else if (this.section !== undefined && Object.keys(attributes).length > 0)
      this.addRow(this.section, name, attributes, line);
    this.path.push(name);
  }

  text(piece: string): void {
    if (this.message !== undefined && this.path.at(-1) === 'ErrorMessage') this.message += piece;
  }

  close(): void {
    this.path.pop();
    if (this.path.at(-1) === 'FlexStatement') this.section = undefined;
  }

  private addRow(section: FlexSection, element: string, attributes: Record<string, string>, line: number): void {
    const cells: Record<string, string> = {};
    for (const [name, value] of Object.entries(attributes))
      cells[section.columns[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`] = spaceClock(value);
    cells.ClientAccountID ||= this.account;
    section.change?.(cells, element);
    const code = section.code || (movesSomething(cells) ? (this.path.at(-1) ?? '') : 'ACCT');
    const header = toLine(['HEADER', code, 'Element', 'File line', ...Object.keys(cells)]);
    const row = toLine(['DATA', code, element, String(line), ...Object.values(cells)]);
    if (section.hasTransactions !== true) {
      this.hold(header, row);
      return;
    }
    if (header !== this.header) this.lines.push(header);
    this.lines.push(row);
    this.header = header;
    this.hasTransactions = true;
  }

  private hold(header: string, row: string): void {
    for (const line of header === this.heldHeader ? [row] : [header, row]) {
      this.held.push(line);
      this.heldCharacters += line.length;
    }
    this.heldHeader = header;
    if (this.heldCharacters > heldCharactersMax)
      throw tooMuch('The Flex query has too many rows without transactions.');
  }
}

const roots: ReadonlySet<string> = new Set(['FlexQueryResponse', 'FlexStatementResponse']);

function openSection(name: string): FlexSection {
  return transactionSections[name] ?? { code: otherSections[name] ?? '', columns: common };
}

/** Returns whether a row of an unknown section has money or units. */
function movesSomething(cells: Record<string, string>): boolean {
  return ['Amount', 'Quantity', 'Proceeds', 'NetCash', 'Total', 'Cash'].some((column) =>
    /[1-9]/.test(cells[column] ?? ''),
  );
}

/** Returns `2024-01-02;093105` as the reader expects it. Customers choose the form of dates and times. */
function spaceClock(value: string): string {
  return value
    .replace(/^(\d{4})(\d\d)(\d\d)(?=[;, ]+\d\d)/, '$1-$2-$3')
    .replace(/^(\d[\dA-Za-z]*[-/][\dA-Za-z/-]+)[;, ]+(\d\d):?(\d\d):?(\d\d)(?: E[SD]T)?$/, '$1 $2:$3:$4');
}

function toLine(cells: readonly string[]): string {
  return csvRecord(cells.map((cell) => cell.replace(/\s*[\r\n]+\s*/g, ' '))).replace('\r\n', '\n');
}
