import { Cells, type Conventions, HeaderColumns } from './cells/cells.ts';
import type { Format, Layout, Outcome, Reader, ReadingContext, Row } from './format.ts';

/** The types that most sources use. */
export type { Cells, HeaderColumns } from './cells/cells.ts';
export type { StatedFields } from './cells/drafts.ts';
export type { Time } from './cells/times.ts';
export type { Draft, Layout, Outcome, Reader, ReadingContext, Row } from './format.ts';

/** Reads one row. `columns` are those of the file's header. */
type FormatRowReader = (cells: Cells, layout: Layout, columns: HeaderColumns) => Outcome;

/** Opens a reader for a layout that the format's conventions apply to. */
export type Opener = (layout: Layout, header: Row, context: ReadingContext, conventions: Conventions) => Reader;

/** A layout as a source declares it. */
export interface LayoutText extends Omit<Layout, 'required'> {
  /** The required column names, separated by bars: `Date | Type | Amount`. */
  readonly header: string;
  /** Reads a row if every row is independent. Default: the format's own opener reads the file. */
  readonly read?: FormatRowReader;
}

/** The names of a format, the conventions of its files, and what it asks of the user. */
type FormatHead = Omit<Format, 'layouts' | 'open' | 'assetClass'> &
  Pick<Conventions, 'dates' | 'numbers'> & {
    readonly assetClass?: Format['assetClass'];
    /** The zone for times without an offset. `local` means the taxpayer's. */
    readonly zone?: string;
  };

/** A format of digital assets. Times without an offset are UTC unless `zone` is set. */
export function coinFormat(head: FormatHead, layouts: readonly LayoutText[], open?: Opener): Format {
  return defineFormat({ assetClass: 'crypto', zone: 'UTC', ...head }, layouts, open);
}

/** A format of a broker for stocks and funds. Times without an offset are the taxpayer's unless `zone` is set. */
export function brokerFormat(head: FormatHead, layouts: readonly LayoutText[], open?: Opener): Format {
  return defineFormat({ assetClass: 'stock', zone: 'local', ...head }, layouts, open);
}

function defineFormat(
  { assetClass = null, zone = 'local', dates, numbers, ...head }: FormatHead,
  texts: readonly LayoutText[],
  open: Opener = rowByRow((cells) => cells.refused()),
): Format {
  const conventions: Conventions = {
    ...(zone === 'local' ? {} : { zone }),
    ...(dates === undefined ? {} : { dates }),
    ...(numbers === undefined ? {} : { numbers }),
  };
  const openers = new Map(texts.map(({ id, read }) => [id, read === undefined ? open : rowByRow(read)]));
  const layouts = texts.map(({ header, read: _read, ...layout }) => ({ ...layout, required: splitHeader(header) }));
  return {
    ...head,
    assetClass,
    layouts,
    open: (layout, header, context) => (openers.get(layout.id) ?? open)(layout, header, context, conventions),
  };
}

function splitHeader(header: string): string[] {
  return header.split('|').map((name) => name.trim());
}

/** Reads a file in which every row is independent. */
export function rowByRow(readRow: FormatRowReader): Opener {
  return (layout, header, context, conventions) => {
    const columns = new HeaderColumns(header);
    return { read: (row) => [readRow(new Cells(row, columns, context, conventions), layout, columns)], end: () => [] };
  };
}

/** The columns and settings of a file that is being read. */
export interface FormatFile {
  readonly layout: Layout;
  readonly columns: HeaderColumns;
  readonly context: ReadingContext;
}

/** Reads a file in which every row needs a value that is computed once, such as a column name. */
export function rowsWith<State>(
  prepare: (file: FormatFile) => State,
  readRow: (cells: Cells, state: State, file: FormatFile) => Outcome | readonly Outcome[],
  end: (state: State) => readonly Outcome[] = () => [],
): Opener {
  return (layout, header, context, conventions) => {
    const file = { layout, columns: new HeaderColumns(header), context };
    const state = prepare(file);
    return {
      read: (row) => {
        const outcome = readRow(new Cells(row, file.columns, context, conventions), state, file);
        return 'kind' in outcome ? [outcome] : outcome;
      },
      end: () => end(state),
    };
  };
}

/**
 * Reads a file in which some rows belong together. `open` creates the groups that hold such rows, and a row of a group
 * has no outcome until the group is complete.
 */
export function rowsInGroups<Groups extends Pick<Reader, 'end'>>(
  open: (file: FormatFile) => Groups,
  readRow: (cells: Cells, groups: Groups, file: FormatFile) => Outcome | readonly Outcome[],
): Opener {
  return rowsWith(open, readRow, (groups) => groups.end());
}

/**
 * Renames repeated (or unnamed) columns after the column before each: the first one after the first partner, and so on.
 * `Buy,Cur.,Sell,Cur.` becomes `Buy,Buy Cur.,Sell,Sell Cur.`.
 */
export function nameRepeatedColumns(header: Row, name: string, partners: readonly string[]): Row {
  const key = (cell: string): string =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase();
  const standing = header.cells.filter((cell) => partners.some((partner) => key(partner) === key(cell)));
  let next = 0;
  const cells = header.cells.map((cell) => {
    if (key(cell) !== key(name)) return cell;
    const partner = standing[next++];
    return partner === undefined ? cell : `${partner.trim()} ${name}`.trim() + (name === '' ? ' (unnamed)' : '');
  });
  return { ...header, cells };
}

/** Returns the text of a row with only one cell. '' if it has more. */
export function readOnlyCell(row: Row): string {
  const filled = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length === 1 ? (filled[0] ?? '') : '';
}
