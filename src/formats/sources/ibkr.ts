import { Cells, HeaderColumns } from '../cells/cells.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Layout, type Outcome, type Reader, type ReadingContext, type Row } from '../reader.ts';
import type { StatedResultColumns } from '../stated-result-columns.ts';
import { CorporateActions } from '../tables/corporate-actions.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { type IbkrStatement, ibkrSections, readBaseCurrency } from './ibkr-sections.ts';

/** A subtotal adds up the orders for one symbol. */
const results: StatedResultColumns = {
  // The premium of an exercised or assigned option becomes part of the shares' basis.
  rows: [
    {
      column: 'Realized P/L',
      plus: ['Proceeds', 'Comm/Fee', 'Basis'],
      unless: { column: 'Code', says: /(?:^|;)\s*(?:A|Ex)\s*(?:;|$)/ },
    },
  ],
  totals: [
    {
      column: 'Header',
      says: /^SubTotal$/,
      sums: ['Quantity', 'Proceeds', 'Comm/Fee'],
      by: ['Asset Category', 'Currency', 'Symbol'],
      of: { column: 'DataDiscriminator', says: /^Order$/ },
    },
    // A second total repeats the rows in the account currency.
    {
      column: 'Header',
      says: /^Total$/,
      sums: ['Proceeds', 'Comm/Fee', 'Basis', 'Realized P/L'],
      by: ['Asset Category', 'Currency'],
      of: { column: 'DataDiscriminator', says: /^Order$/ },
      isOfRowsAbove: true,
    },
  ],
  summaries: {
    section: 'Realized & Unrealized Performance Summary',
    column: 'Realized Total',
    either: 'Cost Adj.',
    by: ['Asset Category', 'Symbol'],
    totals: /^(?:Total|Forex)/i,
    sums: {
      section: 'Trades',
      column: 'Realized P/L',
      of: { column: 'DataDiscriminator', says: /^Order$/ },
      currency: 'Currency',
    },
    beside: { section: 'Corporate Actions', column: 'Realized P/L', names: 'Description' },
    currency: { name: /^base currency$/i, nameColumn: 'Field Name', valueColumn: 'Field Value' },
  },
};

/**
 * Reads Interactive Brokers activity statements and "Transaction History", which are one file with many sections. Each
 * line names its section and whether it is the header, data or a total.
 */
export const ibkrActivity = brokerFormat(
  {
    id: 'ibkr-activity',
    name: 'Interactive Brokers activity statement',
    source: 'Interactive Brokers',
    sectioned: true,
  },
  [
    { id: 'statement', results, header: 'Statement | Header | Field Name | Field Value' },
    {
      id: 'trades',
      results,
      header: 'Trades | Header | DataDiscriminator | Asset Category | Symbol | Quantity | Proceeds',
    },
    {
      id: 'history',
      header: 'Transaction History | Header | Date | Account | Transaction Type | Symbol | Net Amount',
    },
  ],
  (_layout: Layout, header: Row, context: ReadingContext): Reader =>
    withDeliveries(new IbkrStatementReader(header, context), { marksEach: true }),
);

class IbkrStatementReader implements Reader {
  private readonly headers = new Map<string, HeaderColumns>();
  private readonly statement: IbkrStatement = {
    account: '',
    currency: '',
    splits: new Set(),
    actions: new CorporateActions(),
  };

  constructor(
    header: Row,
    private readonly context: ReadingContext,
  ) {
    this.headers.set(sectionOf(header), new HeaderColumns(header));
    // In other languages, reading starts at the transactions' header, so the base currency is in the preamble.
    for (const row of context.preamble) this.statement.currency ||= readBaseCurrency(row) ?? '';
  }

  read(row: Row): readonly Outcome[] {
    const section = sectionOf(row);
    const kind = (row.cells[1] ?? '').trim().toLowerCase();
    if (kind === 'header') {
      this.headers.set(section, new HeaderColumns(row));
      return [{ kind: 'skipped', lines: [row.line], reason: skips.sectionHeader }];
    }
    const columns = this.headers.get(section);
    const cells = new Cells(row, columns ?? new HeaderColumns({ line: row.line, cells: [] }), this.context);
    if (kind === 'total' || kind === 'subtotal') return [cells.skip(skips.totalRow)];
    if (kind === 'notes') return [cells.skip(skips.brokerNote)];
    if (kind !== 'data') return [cells.rejected(null, rejections.notOfStatement)];
    if (columns === undefined) return [cells.rejected(null, rejections.sectionWithoutHeader(section))];
    const reader = ibkrSections.get(section);
    if (reader !== undefined) return [reader(cells, this.statement)].flat();
    if (/asset category|currency|date/i.test(columns.names.join(' ')) && !reportSections.test(section)) {
      return [cells.rejected(null, rejections.unknownSection(section))];
    }
    return [cells.skip(skips.sectionEmpty(section))];
  }

  end(): readonly Outcome[] {
    return this.statement.actions.end();
  }
}

function sectionOf(row: Row): string {
  return (row.cells[0] ?? '').trim();
}

/** Sections that contain only summaries or explanations. */
const reportSections =
  /^(?:statement|summary|account information|net asset value|change in nav|mark-to-market|realized|month & year|cash report|open positions|forex balances|net stock position|financial instrument|codes|notes|base currency|exchange rate|interest accruals|change in dividend accruals|dividend accruals|open dividend accruals|change in|collateral|margin|borrow|stock yield|location of|trade summary|forex p\/l|concentration|allocation|performance|esg|disclosure|ibkr)/i;
