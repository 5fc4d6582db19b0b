/**
 * Files with good and bad lines: the good ones are read, the bad ones are rejected by line and column, and nothing is
 * lost.
 */
export interface SpoiltFile {
  readonly what: string;
  readonly file: string | Uint8Array;
  /** Lines that are read. */
  readonly read: number;
  /** `3 quantity` for each rejected line. Without a column, the whole row is rejected. */
  readonly rejected: readonly string[];
}

const header = 'date,type,account,asset,quantity,amount,note';
const good = '2024-01-02,buy,Home,ACME,1,10,';

/** Returns a file with a good line and a line with a changed cell. */
function withCell(
  column: 'date' | 'type' | 'account' | 'asset' | 'quantity' | 'amount' | 'note',
  cell: string,
): string {
  const cells = {
    date: '2024-01-03',
    type: 'buy',
    account: 'Home',
    asset: 'ACME',
    quantity: '1',
    amount: '10',
    note: '',
  };
  const row = Object.values({ ...cells, [column]: `"${cell.replaceAll('"', '""')}"` }).join(',');
  return `${header}\n${good}\n${row}\n`;
}

function badCell(column: 'date' | 'type' | 'quantity' | 'amount', ...cells: readonly string[]): SpoiltFile[] {
  return cells.map((cell) => ({
    what: `${column} ${JSON.stringify(cell)}`,
    file: withCell(column, cell),
    read: 1,
    rejected: [`3 ${column}`],
  }));
}

function goodCell(
  column: 'account' | 'asset' | 'quantity' | 'amount' | 'note',
  what: string,
  cell: string,
): SpoiltFile {
  return { what: `${column}: ${what}`, file: withCell(column, cell), read: 2, rejected: [] };
}

const twenty = '9'.repeat(20);

export const spoiltFiles: readonly SpoiltFile[] = [
  ...badCell('amount', '0x1F', 'Infinity', 'NaN', '1.2.3', '1,23,4', '--5', '5-', '1e9000000', '1.234,56', '1O0', '٣'),
  ...badCell('amount', '1$0', '$', '=1+1', '1_000', "1'000", '\u200e10', '10 %', '0.000000001', `1${twenty}`),
  ...badCell('quantity', '0.100000000000000000000000000001', `1${twenty}`, '1/2', '½'),
  ...badCell('date', '2024-02-30', '2023-02-29', '0000-00-00', '13/13/2024', '9999-01-01', '1899-12-31', '2024-1-1T'),
  ...badCell('date', '2024-01-02T25:00:00Z', '2024-01-02T10:00:60Z', '2024-01-02T10:00:00+99:00', 'yesterday', '45293'),
  ...badCell('type', 'purchase', '__proto__', 'constructor', 'toString', 'b\u200buy', ''),
  { what: 'a quantity of negative zero', file: withCell('quantity', '-0'), read: 1, rejected: ['3 quantity'] },
  { what: 'a quantity below zero', file: withCell('quantity', '-1'), read: 1, rejected: ['3 quantity'] },
  goodCell('amount', 'an exponent', '1e5'),
  goodCell('amount', 'a currency sign and thousands', '$1,234.50'),
  goodCell('amount', 'fifteen digits', '9'.repeat(15)),
  goodCell('quantity', 'twenty digits', twenty),
  goodCell('quantity', 'eighteen decimals', '0.000000000000000001'),
  goodCell('account', 'a word of JavaScript', '__proto__'),
  goodCell('account', 'marks from right to left', '\u202eemoH'),
  goodCell('account', 'a long name', 'A'.repeat(200)),
  goodCell('asset', 'a long name', 'X'.repeat(200)),
  goodCell('note', 'a formula', '=HYPERLINK("http://example.com","x")'),
  goodCell('note', 'ten thousand characters', 'n'.repeat(10_000)),
  goodCell('note', 'line ends, quotes and delimiters', 'a\r\nb"c",;\t'),
  goodCell('note', 'control characters and emoji', '\u0007\u001b[31m \u2028 😀'),
  goodCell('note', 'half a pair of letters that combine', 'e\u0301 \u202e x'),
  {
    what: 'a quote in the middle of a cell',
    file: withCell('note', 'x').replace('"x"', '5" pipe'),
    read: 2,
    rejected: [],
  },
  {
    what: 'text after a closing quote',
    file: `${header}\n${good}\n2024-01-03,buy,"Ho"me,ACME,1,10,\n`,
    read: 1,
    rejected: ['3 account'],
  },
  { what: 'a trailing delimiter', file: `${header},\n${good},\n${good},,,\n`, read: 2, rejected: [] },
  { what: 'a short row', file: `${header}\n${good}\n2024-01-03,buy,Home,ACME\n`, read: 1, rejected: ['3 quantity'] },
  { what: 'a long row', file: `${header}\n${good}\n${good},more,cells\n`, read: 1, rejected: ['3 '] },
  { what: 'the header again midway', file: `${header}\n${good}\n${header}\n${good}\n`, read: 2, rejected: ['3 type'] },
  {
    what: 'another table midway',
    file: `${header}\n${good}\n\nTotals of the year\nasset,sum\nACME,10\n`,
    read: 1,
    rejected: ['4 type', '5 type', '6 type'],
  },
  {
    what: 'a row in semicolons',
    file: `${header}\n${good}\n${good.replaceAll(',', ';')}\n`,
    read: 1,
    rejected: ['3 type'],
  },
  {
    what: 'decimal commas without quotes',
    file: `${header}\n${good}\n2024-01-03,buy,Home,ACME,1,5,10,50,\n`,
    read: 1,
    rejected: ['3 '],
  },
  {
    what: 'semicolons with decimal commas',
    file: `${header.replaceAll(',', ';')}\n${good.replaceAll(',', ';')}\n2024-01-03;buy;Home;ACME;1,5;10,50;\n`,
    read: 1,
    rejected: ['3 quantity'],
  },
  { what: 'two columns of one name that agree', file: `${header},amount\n${good},10\n`, read: 1, rejected: [] },
  {
    what: 'two columns of one name that do not',
    file: `${header},amount\n${good},10\n${good},11\n`,
    read: 1,
    rejected: ['3 amount'],
  },
  { what: 'headers of JavaScript', file: `${header},__proto__,constructor\n${good},a,b\n`, read: 1, rejected: [] },
  { what: 'a BOM twice', file: `\uFEFF\uFEFF${header}\n${good}\n`, read: 1, rejected: [] },
  {
    what: 'marks that nobody sees in the header',
    file: `\u200bdate,type\u200b,account,\u200easset,quan\u2060tity,amount,note\n${good}\n`,
    read: 1,
    rejected: [],
  },
  { what: 'CR only', file: [header, good, good, ''].join('\r'), read: 2, rejected: [] },
  {
    what: 'line ends of every kind',
    file: `${header}\r\n${good}\n${good}\r${good}\n\r${good}\r\r\n`,
    read: 4,
    rejected: [],
  },
  { what: 'a header and nothing under it', file: `${header}\n`, read: 0, rejected: [] },
  {
    what: 'a thousand bad lines',
    file: `${header}\n${'never,buy,Home,ACME,1,10,\n'.repeat(1000)}`,
    read: 0,
    rejected: Array.from({ length: 1000 }, (_, at) => `${at + 2} date`),
  },
  {
    what: 'UTF-16 with a bad line',
    file: new Uint8Array(Uint16Array.from(withCell('amount', '--5'), (one) => one.charCodeAt(0)).buffer),
    read: 1,
    rejected: ['3 amount'],
  },
];
