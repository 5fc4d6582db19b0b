import { parseQuantity } from '../../base/decimal.ts';
import { dateOrders, plainDate, readTime } from '../cells/times.ts';
import { directionOfWord } from './closed-positions.ts';
import { type FieldCandidate, isEpoch, isNumber, isSerialDay, type SampledColumn } from './column-candidates.ts';
import { fieldSet, type MappedField } from './mapping.ts';
import { readRowInstruments } from './row-instruments.ts';
import { isSome, readNumbers, type SampleNumber, size } from './sample-numbers.ts';

/** The first rows of a file, whose text columns are assigned to fields. */
export interface SampledFile {
  readonly columns: readonly SampledColumn[];
  readonly candidates: readonly FieldCandidate[];
  readonly texts: readonly FieldCandidate[];
  readonly isComma: boolean;
}

/** The columns in a file of closed positions, whose rows contain both an opening and a closing. */
export interface PositionColumns {
  readonly fields: readonly FieldCandidate[];
  readonly undecided: Readonly<Record<string, string>>;
}

const opening =
  'open|opened|opening|entry|entered|buy|bought|purchase|purchased|öffnung|eröffnung|kauf|apertura|compra|ouverture|achat';
const closing =
  'close|closed|closing|exit|exited|sell|sold|sale|schließung|schluss|verkauf|cierre|venta|clôture|fermeture|vente';
const shape = (moment: string, nouns: string): RegExp =>
  new RegExp(
    `^(?:(?:avg|average|position|trade) )?(?:(?:${moment})(?: (?:${nouns}))+|(?:${nouns})(?: (?:of|de|d))? (?:${moment}))(?: utc(?: \\d+)?| \\w{3}| local)?$`,
  );
const times = 'time|date|datetime|timestamp|at|day|on|zeit|datum|fecha|hora';
const prices = 'price|rate|px|kurs|preis|precio|prix|cours';
const values = 'value|amount|cost|total|notional|wert|valor|montant|proceeds';

const shapes: readonly (readonly [MappedField, RegExp])[] = [
  [
    'openedAt',
    new RegExp(
      `${shape(opening, times).source}|^(?:opened|entered|bought|enteredat|openedat|opentime|entrytime|opendate|buydate)$`,
    ),
  ],
  [
    'date',
    new RegExp(
      `${shape(closing, times).source}|^(?:closed|exited|sold|exitedat|closedat|closetime|exittime|closedate|selldate)$`,
    ),
  ],
  ['openPrice', new RegExp(`${shape(opening, prices).source}|^(?:entry|entryprice|openprice|buyprice)$`)],
  ['price', new RegExp(`${shape(closing, prices).source}|^(?:exit|exitprice|closeprice|sellprice)$`)],
  ['openAmount', shape(opening, values)],
  ['amount', shape(closing, values)],
];
const netGain = /^(?:net (?:p l|pnl|pl|profit|gain|result|usd|eur|gbp)(?: \w{3})?|(?:p l|pnl|profit) net)$/;
const grossGainShape = /^gross (?:p l|pnl|pl|profit|gain|result)(?: \w{3})?$/;
const anyGain =
  /^(?:(?:realized|realised|closed|trade|total) )?(?:p l|pnl|pl|profit|profit loss|profit and loss|gain|gain loss|result|gewinn|resultado|résultat)(?: \w{3})?$/;
const financingShape = /^(?:swaps?|rollover|overnight (?:fee|interest)|financing|interest)$/;

/** Returns the columns whose name means a realized gain. */
function gainColumns(columns: readonly SampledColumn[]): SampledColumn[] {
  return columns.filter(
    (one) => isCounted(one) && [netGain, grossGainShape, anyGain].some((each) => matches(each, one)),
  );
}

/** Returns the columns with gains from currency trades, before or after fees. */
export function currencyGains(
  columns: readonly SampledColumn[],
  fees: readonly FieldCandidate[],
  isComma: boolean,
): PositionColumns {
  const found = { found: new Map(), texts: [], gains: gainColumns(columns), columns, isComma };
  const { fields, undecided } = gainFields({
    ...found,
    units: undefined,
    charged: fees,
    used: [],
    direction: undefined,
  });
  const why = 'its name is typical of a realized gain';
  return { fields: fields.map((one) => ({ ...one, confidence: 0.8, rank: 0, why })), undecided };
}

/** Returns undefined unless the rows contain both an opening and a closing. */
export function findPositionColumns(file: SampledFile): PositionColumns | undefined {
  const { columns, texts } = file;
  const columnByField = new Map<MappedField, SampledColumn>();
  for (const [field, named] of shapes) {
    const isFit = field === 'openedAt' || field === 'date' ? isTimed : isCounted;
    const column = columns.find(
      (one) => matches(named, one) && isFit(one) && ![...columnByField.values()].includes(one),
    );
    if (column !== undefined) columnByField.set(field, column);
  }
  const gains = gainColumns(columns);
  const [opened, closed] = [columnByField.get('openedAt'), columnByField.get('date')];
  const isPriced = columnByField.has('openPrice') && columnByField.has('price');
  const isValued = columnByField.has('openAmount') && columnByField.has('amount');
  if (!isPriced && !isValued && gains.length === 0) return undefined;
  if (opened === undefined || closed === undefined) {
    const only = texts.find(({ field }) => field === 'date')?.column;
    const column = columnByField.get('openPrice');
    return isPriced && only !== undefined && column !== undefined
      ? { fields: [], undecided: { [column.name]: undatedOpening } }
      : undefined;
  }
  return assignColumns(file, columnByField, gains);
}

const undatedOpening =
  'Are these closed positions? The row has two prices but one date. Without the opening date, the holding period is unknown.';

function assignColumns(
  { columns, candidates, texts, isComma }: SampledFile,
  columnByField: ReadonlyMap<MappedField, SampledColumn>,
  gains: readonly SampledColumn[],
): PositionColumns {
  const why = 'this and another column are named like an opening and a closing';
  const toCandidate = (column: SampledColumn, field: MappedField): FieldCandidate => {
    return { column, field, confidence: 0.9, rank: 0, why };
  };
  const usedColumns = new Set<SampledColumn>([...columnByField.values(), ...gains]);
  const financing = columns.filter((one) => matches(financingShape, one) && isCounted(one));
  const direction = columns.find(
    (one) =>
      !usedColumns.has(one) &&
      one.samples.length > 0 &&
      one.samples.every((word) => directionOfWord(word) !== undefined),
  );
  for (const column of [...financing, ...(direction === undefined ? [] : [direction])]) usedColumns.add(column);
  const kept = texts.filter(({ field, column }) => keptTexts.has(field) && !usedColumns.has(column));
  const pair = texts.find(({ field, column }) => field === 'pair' && !usedColumns.has(column));
  const named =
    kept.some(({ field }) => field === 'asset') || pair === undefined
      ? kept
      : [...kept, { ...pair, field: 'asset' as const }];
  for (const { column } of named) usedColumns.add(column);
  const free = (field: MappedField): FieldCandidate[] =>
    candidates
      .filter((one) => one.field === field && one.confidence >= 0.5 && !usedColumns.has(one.column))
      .toSorted((a, b) => b.confidence - a.confidence || a.rank - b.rank);
  const units = free('quantity').find(({ column }) => column.samples.length > 0);
  if (units !== undefined) usedColumns.add(units.column);
  const fees = free('fee').filter(
    ({ column }, index, all) => column.samples.length > 0 && all.findIndex((one) => one.column === column) === index,
  );
  const charged = fees.filter((one) => !financing.includes(one.column));
  // If several columns match one field, only the first nonempty one counts.
  const used = financing.filter((one) => readNumbers(one, isComma).some(isSome));
  const fields: FieldCandidate[] = [
    ...[...columnByField].map(([field, column]) => toCandidate(column, field)),
    ...named,
    ...(direction === undefined ? [] : [toCandidate(direction, 'type')]),
    ...(units === undefined ? [] : [units]),
    ...charged,
    ...used.slice(0, 1).map((column) => toCandidate(column, 'financing')),
  ];
  const undecided: Record<string, string> = {};
  for (const column of used.slice(1)) undecided[column.name] = 'Is this a second charge for holding the position?';
  if (units === undefined)
    undecided[(columnByField.get('date') as SampledColumn).name] = 'Which column contains the number of units?';
  const found = { found: columnByField, texts: named, gains, columns, isComma };
  const results = gainFields({ ...found, units, charged, used, direction });
  Object.assign(undecided, results.undecided);
  const opened = columnByField.get('openedAt') as SampledColumn;
  if (
    direction === undefined &&
    results.fields.length === 0 &&
    !readNumbers(units?.column ?? opened, isComma).some((one) => one !== null && one < 0n)
  )
    undecided[opened.name] = 'Were these positions long (bought first) or short (sold first)?';
  return { fields: [...fields, ...results.fields.map(({ column, field }) => toCandidate(column, field))], undecided };
}

const keptTexts = fieldSet(
  ['asset', 'account', 'externalId', 'note', 'currency', 'status', 'expiration', 'maturity'],
  ['strike', 'right', 'multiplier'],
);

interface StatedGains {
  readonly found: ReadonlyMap<MappedField, SampledColumn>;
  readonly units: FieldCandidate | undefined;
  readonly charged: readonly FieldCandidate[];
  readonly used: readonly SampledColumn[];
  readonly gains: readonly SampledColumn[];
  readonly isComma: boolean;
  readonly texts: readonly FieldCandidate[];
  readonly columns: readonly SampledColumn[];
  readonly direction: SampledColumn | undefined;
}

/** Decides whether the gain in the file is before or after charges, based on the prices or else on the column name. */
function gainFields(file: StatedGains): {
  readonly fields: readonly { readonly column: SampledColumn; readonly field: 'gain' | 'grossGain' }[];
  readonly undecided: Readonly<Record<string, string>>;
} {
  const { charged, used, gains, isComma } = file;
  const charges = [...charged.map(({ column }) => column), ...used].map((column) => readNumbers(column, isComma));
  const isCharged = charges.some((column) => column.some(isSome));
  const expected = expectedGains(file);
  const fields: { column: SampledColumn; field: 'gain' | 'grossGain' }[] = [];
  const undecided: Record<string, string> = {};
  for (const column of gains) {
    const shown = expected === undefined ? undefined : matchGain(readNumbers(column, isComma), expected, charges);
    const name = matches(netGain, column) ? 'gain' : matches(grossGainShape, column) ? 'grossGain' : undefined;
    const field = shown ?? name ?? (isCharged ? undefined : 'grossGain');
    if (fields.some((one) => one.field === field)) continue;
    if (field === undefined)
      undecided[column.name] = 'Is this the result before the fees (grossGain) or after them (gain)?';
    else fields.push({ column, field });
  }
  return { fields, undecided };
}

/**
 * Computes the gains that follow from the sampled rows' prices. Returns undefined if the columns for it are missing.
 */
function expectedGains({ found, units, isComma, texts, columns, direction }: StatedGains): SampleNumber[] | undefined {
  const of = (field: MappedField): SampleNumber[] | undefined => {
    const column = found.get(field);
    return column === undefined ? undefined : readNumbers(column, isComma);
  };
  const [from, until] = [of('openPrice') ?? of('openAmount'), of('price') ?? of('amount')];
  if (from === undefined || until === undefined || units === undefined) return undefined;
  const { units: perContract, instruments } = readRowInstruments(texts, columns);
  const sizes = readNumbers(units.column, isComma);
  const isPriced = found.has('openPrice') && found.has('price');
  return from.map((value, row) => {
    const [other, quantity] = [until[row] ?? null, sizes[row] ?? null];
    if (value === null || other === null || quantity === null) return null;
    const lot = instruments[row]?.kind === 'currencies' ? 100_000n * one : (perContract[row] ?? one);
    const change = isPriced ? ((other - value) * ((size(quantity) * lot) / one)) / one : other - value;
    const word = direction?.values[row] ?? '';
    const isShort = directionOfWord(word) === 'short' || quantity < 0n;
    return isShort ? -change : change;
  });
}

const one = parseQuantity('1') ?? 1n;

/** Returns undefined if both interpretations fit, or neither. */
function matchGain(
  stated: readonly SampleNumber[],
  expected: readonly SampleNumber[],
  charges: readonly (readonly SampleNumber[])[],
): 'gain' | 'grossGain' | undefined {
  let [isGross, isNet, isApart] = [true, true, false];
  for (const [row, value] of stated.entries()) {
    const computed = expected[row] ?? null;
    if (value === null || computed === null) continue;
    const sums = charges.map((column) => column[row] ?? 0n);
    // A commission can have either sign, but a swap keeps its sign.
    const after = [
      sums.reduce((sum, each) => sum - size(each), computed),
      sums.reduce((sum, each) => sum + each, computed),
    ];
    const isNear = (a: bigint, b: bigint): boolean => size(a - b) <= one / 50n + size(b) / 10_000n;
    if (sums.some((each) => each !== 0n)) isApart = true;
    isGross &&= isNear(value, computed);
    isNet &&= after.some((each) => isNear(value, each));
  }
  return isGross === isNet ? (isGross && !isApart ? 'grossGain' : undefined) : isGross ? 'grossGain' : 'gain';
}

/** Matches a header's words with and without the text in brackets: `Opening Time (UTC+0)`. */
function matches(named: RegExp, { whole, outside }: SampledColumn): boolean {
  return named.test(whole) || named.test(outside) || named.test(whole.replaceAll(' ', ''));
}

function isTimed({ samples }: SampledColumn): boolean {
  const isTime = (text: string): boolean =>
    isEpoch(text) ||
    isSerialDay(text) ||
    Object.values(dateOrders).some((order) => readTime(plainDate(text), 'UTC', 'UTC', order) !== undefined);
  return samples.length > 0 && samples.every(isTime);
}

function isCounted({ samples }: SampledColumn): boolean {
  return samples.length > 0 && samples.every(isNumber);
}
