import { Refusal } from '../base/refusal.ts';
import { normalizeHeader } from './cells/cells.ts';
import { type DateOrderCode, dateOrders } from './cells/times.ts';
import { charactersAheadMax, DateOrderEvidence, rowsAheadMax } from './date-order.ts';
import { type DetectedFormat, headerRowsMax } from './detect.ts';
import type { KnownAccount, ReadingContext, Row, RowIssue, RowsSide } from './format.ts';
import { detect } from './index.ts';
import { asksSide, columnsMissing, escapePointer, type Mapping, withSide } from './mapping/mapping.ts';
import { proposeMapping } from './mapping/mapping-proposal.ts';
import { mappingFormat } from './mapping/mapping-reader.ts';
import { askSide, buildRefusal, needless, notOfHeader, refuseUndecided, withFirstRows } from './refusals.ts';
import { rejectsOfAll } from './trial.ts';

/** A file with a known header and no unanswered questions. */
export interface OpenedFile {
  readonly detected: DetectedFormat;
  readonly header: Row;
  /** The rows under the header that have been read so far. */
  readonly firstRows: readonly Row[];
  readonly context: ReadingContext;
  /** The mapping used to read the file, or null if a format recognizes it. */
  readonly mapping: Mapping | null;
}

/** The mapping that was used for an earlier file with this header. */
export interface RememberedMapping {
  readonly header: readonly string[];
  readonly mapping: Mapping;
}

/**
 * Reads a file's first rows until they determine the format and the date order. If only the user can decide, it throws
 * an error that names the parameter to set.
 */
export class FileOpening {
  private readonly head: Row[] = [];
  private found: HeaderMatch | undefined;
  private evidence: DateOrderEvidence | undefined;
  private looked = 0;
  private characters = 0;

  constructor(
    private readonly options: ReadingOptions,
    /** Whether the table is inside a ZIP or workbook, which a client cannot show. A proposal then includes rows. */
    private readonly isPacked = false,
  ) {}

  /** Returns true once enough rows were read. */
  add(rows: readonly Row[]): boolean {
    for (const row of rows) {
      this.head.push(row);
      for (const cell of row.cells) this.characters += cell.length;
    }
    if (this.head.length < headerRowsMax) return false;
    const { evidence } = this.look();
    const isEnough = this.head.length >= rowsAheadMax || this.characters >= charactersAheadMax;
    return evidence === undefined || evidence.decided !== undefined || isEnough;
  }

  /** Opens the file with the rows read so far. It needs no more rows. */
  open(): OpenedFile {
    const { found, header, evidence } = this.look();
    const dates = this.options.dateOrder === undefined ? evidence?.decided : dateOrders[this.options.dateOrder];
    if (dates === undefined) evidence?.refuseToGuess(header.cells);
    const { headerIndex } = found.detected;
    return {
      detected: found.detected,
      header,
      firstRows: this.head.slice(headerIndex + 1),
      mapping: found.mapping,
      context: {
        timeZone: this.options.timeZone,
        preamble: this.head.slice(0, headerIndex),
        ...(dates === undefined ? {} : { dates }),
        ...(this.options.side === undefined ? {} : { side: this.options.side }),
      },
    };
  }

  private look(): { found: HeaderMatch; header: Row; evidence: DateOrderEvidence | undefined } {
    const headerMatch = this.found ?? this.find();
    const header = this.head[headerMatch.detected.headerIndex] ?? { line: 1, cells: [] };
    if (this.found === undefined && this.options.dateOrder === undefined) {
      const columnIndexes = findDateColumnIndexes(headerMatch, header);
      if (columnIndexes !== undefined) this.evidence = new DateOrderEvidence(columnIndexes);
    }
    this.found = headerMatch;
    const from = Math.max(this.looked, headerMatch.detected.headerIndex + 1);
    for (const row of this.head.slice(from)) this.evidence?.look(row);
    this.looked = this.head.length;
    return { found: headerMatch, header, evidence: this.evidence };
  }

  private find(): HeaderMatch {
    try {
      return find(this.head, this.options);
    } catch (error) {
      throw this.isPacked ? withFirstRows(error, this.head) : error;
    }
  }
}

interface HeaderMatch {
  readonly detected: DetectedFormat;
  readonly mapping: Mapping | null;
}

/** Returns the request's mapping, the one remembered for this header, or the format that recognizes the header. */
function find(rows: readonly Row[], options: ReadingOptions): HeaderMatch {
  const { side } = options;
  const mappingMatch = options.mapping === undefined ? undefined : locateMapping(rows, options.mapping);
  const known = mappingMatch ?? (options.format === undefined ? recall(rows, options.remembered ?? []) : undefined);
  if (known !== undefined) {
    refuseUndecided(known.mapping);
    const mapping = settleSide(known.mapping, side, rows[known.headerIndex + 1]?.line ?? 1);
    const format = mappingFormat(mapping);
    const [layout] = format.layouts;
    if (layout === undefined) throw new Error('A mapping has a layout.');
    return { detected: { format, layout, headerIndex: known.headerIndex }, mapping: known.mapping };
  }
  const detected = detectOrRefuse(rows, options);
  const asks = detected.format.asksSide?.includes(detected.layout.id) === true;
  if (asks && side === undefined) throw askSide(rows[detected.headerIndex + 1]?.line ?? 1, ['deposit', 'withdrawal']);
  if (!asks && side !== undefined) throw needless();
  return { detected, mapping: null };
}

interface MappingMatch {
  readonly mapping: Mapping;
  readonly headerIndex: number;
}

/**
 * Finds the row that contains all mapped columns. Otherwise, throws an error that lists the columns missing from the
 * closest row.
 */
function locateMapping(rows: readonly Row[], mapping: Mapping): MappingMatch {
  const candidates = rows.slice(0, headerRowsMax).map(({ cells }) => columnsMissing(mapping, cells));
  const headerIndex = candidates.findIndex((missing) => missing.length === 0);
  if (headerIndex !== -1) return { mapping, headerIndex };
  const [nearest = []] = candidates.toSorted((a, b) => a.length - b.length);
  const errors = nearest.map((column) => ({
    pointer: `/mapping/columns/${escapePointer(column)}`,
    code: 'missing_column',
    detail: 'The file has no column with this name',
  }));
  const names = nearest.map((column) => `"${column}"`).join(', ');
  throw new Refusal('invalid', `The file does not contain these mapped columns: ${names}.`, { errors });
}

/** Finds a remembered mapping for this exact header, because an additional column might change the meaning. */
function recall(rows: readonly Row[], remembered: readonly RememberedMapping[]): MappingMatch | undefined {
  if (remembered.length === 0) return undefined;
  const known = new Map(remembered.map(({ header, mapping }) => [headerKey(header), mapping]));
  for (const [headerIndex, row] of rows.slice(0, headerRowsMax).entries()) {
    const mapping = known.get(headerKey(row.cells));
    if (mapping !== undefined) return { mapping, headerIndex };
  }
  return undefined;
}

/** Returns a key that is the same for headers with the same meaning. */
export function headerKey(header: readonly string[]): string {
  return JSON.stringify(header.map(normalizeHeader));
}

function settleSide(mapping: Mapping, side: RowsSide | undefined, line: number): Mapping {
  if (!asksSide(mapping)) {
    if (side !== undefined) throw needless();
    return mapping;
  }
  if (side === undefined) throw askSide(line, ['buy', 'sell', 'deposit', 'withdrawal']);
  return withSide(mapping, side);
}

/**
 * Returns the date columns whose order the rows must settle. Null means any column, and undefined means that no order
 * is needed.
 */
function findDateColumnIndexes({ detected, mapping }: HeaderMatch, header: Row): readonly number[] | null | undefined {
  if (mapping === null) return detected.format.asksDateOrder === true ? null : undefined;
  if (mapping.dateOrder !== undefined || mapping.epoch === true) return undefined;
  const dated: readonly string[] = ['date', 'openedAt', 'expiration', 'acquired', 'identifiedAt'];
  const columns = Object.entries(mapping.columns).flatMap(([name, field]) =>
    dated.includes(field) ? [normalizeHeader(name)] : [],
  );
  return header.cells.flatMap((cell, columnIndex) => (columns.includes(normalizeHeader(cell)) ? [columnIndex] : []));
}

function detectOrRefuse(rows: readonly Row[], { format: formatId, timeZone, side }: ReadingOptions): DetectedFormat {
  const passed = new Set<string>();
  let [first, rejects]: [DetectedFormat | undefined, readonly RowIssue[]] = [undefined, []];
  for (;;) {
    const detection = detect(rows, formatId, passed);
    if (!('format' in detection)) {
      if (first === undefined || detection.rivals.length > 0) throw buildRefusal(detection, rows, formatId);
      const proposal = proposeMapping(rows);
      // If no other format or mapping matches, this one is used, and every rejected line is listed.
      if (proposal === undefined) return first;
      throw notOfHeader(first, rejects, proposal);
    }
    const asksSide = detection.format.asksSide?.includes(detection.layout.id) === true;
    if (formatId !== undefined || side !== undefined || asksSide || detection.layout.isFromDocument) return detection;
    const all = rejectsOfAll(detection, rows, timeZone);
    if (all === undefined) return detection;
    if (first === undefined) [first, rejects] = [detection, all];
    passed.add(detection.format.id);
  }
}

export interface ReadingOptions {
  /** The id of a format. If absent, the header determines it. */
  readonly format?: string;
  /** The IANA zone for times without an offset. It also determines the tax day of every time. */
  readonly timeZone: string;
  /**
   * The account for rows that do not name one. Default: an account named elsewhere in the file, or the source's name.
   */
  readonly account?: string;
  /** The file's name, which may contain an account. */
  readonly fileName?: string;
  /** The name of the table to read, if the file is a ZIP or workbook with several. */
  readonly part?: string;
  /** The accounts in the books. A file that spells one of them differently does not create a new account. */
  readonly knownAccounts?: readonly KnownAccount[];
  /** The mapping for a file that no format recognizes. */
  readonly mapping?: Mapping;
  /** Mappings that apply automatically to files with the same header. */
  readonly remembered?: readonly RememberedMapping[];
  /** Which part of `3/4/2025` comes first. It overrides the format and the mapping. */
  readonly dateOrder?: DateOrderCode;
  /** The direction of rows in a file that does not show one. */
  readonly side?: RowsSide;
  /** Whether to also return the file's text in pieces, for storage. */
  readonly keepText?: boolean;
}
