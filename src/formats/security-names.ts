import type { Day } from '../base/day.ts';
import { parseOption } from '../engine/events/keys.ts';
import { isMoneyName } from '../engine/events/same-assets.ts';
import { typesWhere } from '../engine/transaction-types.ts';
import { normalizeHeader } from './cells/cells.ts';
import type { Outcome, Row } from './format.ts';

/** The name of a security in a file, such as `VALVOLINE INC` for the asset `VVV`. */
export interface SecurityName {
  readonly asset: string;
  readonly name: string;
}

/** The column with the name of the row's own security. */
interface NameColumn {
  readonly column: string;
  /** Set if other rows use the column for a text, such as `ACME CORP CASH DIV ON 100 SHS`. */
  readonly onlyTrades?: true;
}

const description: NameColumn = { column: 'Description' };
const tradeDescription: NameColumn = { ...description, onlyTrades: true };
const name: NameColumn = { column: 'Name' };

/** The column with security names in each format. Formats that are not listed use `usualColumns`. */
export const nameColumns: Readonly<Record<string, NameColumn>> = {
  chase: tradeDescription,
  degiro: { column: 'Product' },
  directa: { column: 'Descrizione' },
  etherscan: { column: 'TokenName' },
  etrade: tradeDescription,
  fidelity: description,
  firstrade: tradeDescription,
  'ibkr-flex': tradeDescription,
  'interactive-investor': tradeDescription,
  merrill: { column: 'Description 2', onlyTrades: true },
  ofx: { column: 'Security name' },
  robinhood: tradeDescription,
  saxo: { column: 'Instrument' },
  schwab: tradeDescription,
  'schwab-realized': name,
  sharesight: name,
  'sharesight-income': name,
  swissquote: name,
  trading212: name,
  'uk-101': { ...name, onlyTrades: true },
  wealthfolio: { column: 'Company' },
  webull: name,
};

/** Headers that mean the name of a security in any file. */
const usualColumns = [
  'Security Name',
  'Investment Name',
  'Security Description',
  'Symbol Description',
  'Instrument Name',
  'Asset Name',
  'Company Name',
];

/** Types whose rows are about one security. In a corporate action, the name may belong to a different security. */
const plainTypes = typesWhere(({ lots }) => ['opens', 'disposes', 'moves', 'none'].includes(lots));
const tradeTypes = typesWhere(({ side }) => side !== undefined);

const instrumentSection = 'Financial Instrument Information';
const latest = Number.MAX_SAFE_INTEGER as Day;
const namesMax = 5_000;
const charactersMax = 120;

/** Collects the names of securities from the rows of a file. The name in the newest row counts. */
export class SecurityNames {
  private readonly known = new Map<string, { readonly name: string; readonly on: Day }>();
  private readonly column: number;
  private readonly types: ReadonlySet<string>;
  /** The names in rows whose outcome is still open, by line. */
  private readonly waiting = new Map<number, string>();
  private readonly hasInstruments: boolean;
  private instrumentHeaders: readonly string[] = [];

  constructor(format: string, header: Row) {
    this.hasInstruments = format === 'ibkr-activity';
    const headers = header.cells.map(normalizeHeader);
    const own = nameColumns[format];
    const columns = own === undefined ? usualColumns : [own.column, ...usualColumns];
    const at = columns.map((column) => headers.indexOf(normalizeHeader(column))).find((index) => index >= 0) ?? -1;
    this.column = at;
    this.types = own?.onlyTrades === true && headers[at] === normalizeHeader(own.column) ? tradeTypes : plainTypes;
  }

  /** Keeps the name in a row until its outcome is settled. */
  take(row: Row): void {
    if (this.known.size >= namesMax) return;
    if (this.hasInstruments && row.cells[0] === instrumentSection) this.takeInstrument(row.cells);
    if (this.column < 0) return;
    const text = toSecurityName(row.cells[this.column] ?? '');
    if (text !== '') this.waiting.set(row.line, text);
  }

  /** Reads the section of Interactive Brokers that lists the names of all securities, with all symbols of each. */
  private takeInstrument([, kind, category = '', ...cells]: readonly string[]): void {
    if (kind === 'Header') this.instrumentHeaders = cells;
    if (kind !== 'Data' || /option|future|forex/i.test(category)) return;
    const cell = (header: string): string => cells[this.instrumentHeaders.indexOf(header)] ?? '';
    const text = toSecurityName(cell('Description'));
    if (text === '') return;
    for (const symbol of cell('Symbol').split(/,\s*/)) {
      if (symbol !== '') this.known.set(symbol, { name: text, on: latest });
    }
  }

  /** Assigns the names in the outcome's rows to the assets of its drafts. */
  settle(outcome: Outcome): void {
    if (this.waiting.size === 0) return;
    if (outcome.kind === 'read') {
      for (const { line, type, asset, assetClass, on } of outcome.drafts) {
        const text = this.waiting.get(line);
        if (text === undefined || !this.types.has(type) || asset === '' || isMoneyName(asset)) continue;
        if (assetClass === 'option' || parseOption(asset) !== undefined) continue;
        const before = this.known.get(asset);
        if (text.toUpperCase() === asset.toUpperCase() || (before !== undefined && before.on > on)) continue;
        this.known.set(asset, { name: text, on });
      }
    }
    for (const line of outcome.lines) this.waiting.delete(line);
  }

  end(): SecurityName[] {
    return [...this.known].map(([asset, { name: text }]) => ({ asset, name: text }));
  }
}

/** Returns the name in a cell, or '' if it has none. Robinhood adds the CUSIP in a second line. */
export function toSecurityName(cell: string): string {
  const [first = ''] = cell.trim().split(/[\r\n]/);
  const text = first.replaceAll(/\s+/g, ' ').replace(orderNotes, '').trim().slice(0, charactersMax).trim();
  return /\p{L}{2}/u.test(text) && !placeholders.test(text) ? text : '';
}

/** Notes that Chase, Firstrade and Merrill append to the name. */
const orderNotes = / (?:UNSOLICITED|CLIENT ENTERED|CASH DIV|REINVEST)\b.*$/;
const placeholders = /^(?:n\/a|none|unknown|no description|unnamed)$/i;
