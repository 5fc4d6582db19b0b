import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import type { MappedField } from './mapping.ts';
import { coinOfHeader } from './measures.ts';
import {
  type AmountVerdict,
  collectUnits,
  compareAmounts,
  differsByFee,
  isSome,
  isSumOf,
  isUnexplained,
  looksCountedInUnits,
  readNumbers,
  type SampleNumber,
  size,
} from './sample-numbers.ts';

/** The columns for units, money and fees that the file's numbers support. */
export interface AmountColumns {
  readonly chosen: readonly FieldCandidate[];
  /** Columns that can be read in two ways with different amounts, each with a question for the user. */
  readonly undecided: Readonly<Record<string, string>>;
}

interface KnownColumns {
  /** Whether a column or the cells name an asset. */
  readonly hasAsset: boolean;
  readonly hasCurrency: boolean;
  readonly hasPair: boolean;
  readonly hasFeeAsset: boolean;
  /** Whether the rows are cash income, such as dividends. */
  readonly paysMoney: boolean;
  readonly onlyMoves: boolean;
  readonly isComma: boolean;
  /** Units per contract, by row. */
  readonly perContract: readonly (bigint | null)[];
  /** Tax withheld, by row. */
  readonly taxes: readonly SampleNumber[];
}

/**
 * Chooses the number columns so that price × units equals the row's money, with or without the fee. Numbers outrank
 * column names.
 */
export function decideAmounts(candidates: readonly FieldCandidate[], known: KnownColumns): AmountColumns {
  const numbers = new Map<SampledColumn, SampleNumber[]>();
  const of = (column: SampledColumn): SampleNumber[] => {
    const columnNumbers = numbers.get(column) ?? readNumbers(column, known.isComma);
    numbers.set(column, columnNumbers);
    return columnNumbers;
  };
  const fees = feeColumns(candidates, of);
  const feeSums = sumColumns(fees.chosen.map(({ column }) => of(column)));
  const free = candidates.filter(({ column }) => !fees.chosen.some((fee) => fee.column === column));
  const best = findBestTriple(free, known, of, feeSums);
  const undecided: Record<string, string> = { ...fees.undecided };
  const chosen: FieldCandidate[] = [...fees.chosen];
  const { units, price, money, verdict } = best;
  const booked = free.filter(({ field, confidence }) => (field === 'debit' || field === 'credit') && confidence >= 0.7);
  if (units !== undefined) chosen.push(units);
  if (known.onlyMoves) return { chosen, undecided };
  if (booked.length > 1) chosen.push(...booked);
  else if (money !== undefined) {
    const holds = holdsFee(money.column, verdict, { of, fees: feeSums, free, known, feeColumns: fees.chosen });
    const field = holds === 'with' ? 'total' : 'amount';
    chosen.push({ ...money, field, why: `${money.why}, ${holds === 'with' ? 'with' : 'without'} the fee` });
    if (verdict === 'unknown' && holds === 'without' && known.taxes.some(isSome))
      undecided[money.column.name] = 'Is this amount after tax (total) or before tax (amount)?';
    if (holds === 'unknown') undecided[money.column.name] = 'Does this amount include the fee (total) or not (amount)?';
    const isGuess = verdict === 'unknown' && money.confidence < 0.7;
    if (isGuess) undecided[money.column.name] = 'Only part of the column name suggests that this is the amount. Is it?';
    const isLonely = units === undefined && known.hasAsset && !known.hasCurrency && money.column.unit === '';
    if (isLonely && known.paysMoney && collectUnits(money.column, known.isComma).size === 0)
      undecided[money.column.name] = 'Is this an amount of money or a quantity of the asset?';
    if (verdict === 'other' || (verdict === 'near' && fees.chosen.some(({ column }) => of(column).some(isSome))))
      undecided[money.column.name] = 'It does not equal price × units, with or without the fee. Is it the amount?';
  } else if (price !== undefined && units !== undefined) chosen.push(price);
  const rest =
    known.hasPair || known.hasFeeAsset ? undefined : findUnexplainedNet(free, money ?? price, best, of, feeSums, known);
  if (rest !== undefined)
    undecided[rest.name] = 'It does not equal the amount plus or minus the fees. Which column holds the rest?';
  const worth = money ?? price;
  if (known.hasPair && !known.hasFeeAsset && units !== undefined && worth !== undefined) {
    const isUnitless = fees.chosen.every(
      ({ column }) => collectUnits(column, known.isComma).size === 0 && column.unit === '',
    );
    const moneyOfRows =
      money === undefined
        ? product(inContracts(of(units.column), known.perContract), of(worth.column))
        : of(money.column);
    if (isUnitless && verdict !== 'net' && looksCountedInUnits(feeSums, of(units.column), moneyOfRows))
      for (const { column } of fees.chosen)
        undecided[column.name] = 'Is this fee in the asset, or in the currency or coin that it is traded for?';
  }
  return { chosen, undecided };
}

/**
 * Returns the fee columns. If one column is the total of the others, returns only that one. If columns have different
 * currencies, returns only the one without a currency or, if there is none, the most likely one. Otherwise returns all
 * columns.
 */
function feeColumns(
  candidates: readonly FieldCandidate[],
  of: (column: SampledColumn) => SampleNumber[],
): AmountColumns {
  const isBetterElse = ({ column, confidence }: FieldCandidate): boolean =>
    candidates.some((other) => other.column === column && other.field !== 'fee' && other.confidence > confidence);
  const all = candidates.filter((one) => one.field === 'fee' && one.confidence >= 0.6 && !isBetterElse(one));
  const [first] = all.toSorted((a, b) => b.confidence - a.confidence || a.rank - b.rank);
  if (first === undefined) return { chosen: [], undecided: {} };
  const total = all.find(({ column }) =>
    isSumOf(
      of(column),
      all.filter((one) => one.column !== column).map((one) => of(one.column)),
    ),
  );
  if (total !== undefined && all.length > 1) return { chosen: [total], undecided: {} };
  const units = new Set(all.map(({ column }) => column.unit));
  const alike = all.filter(({ column }) => column.unit === first.column.unit);
  const exact = units.size > 1 ? [all.find(({ column }) => column.unit === '') ?? first] : alike;
  const undecided: Record<string, string> = {};
  // A fee shown in two currencies fills both columns of a row. Two separate fees may fill only one.
  const [own = []] = exact.map(({ column }) => of(column));
  for (const { column } of units.size > 1 ? all : []) {
    const isOther = of(column).some((value, row) => isSome(value) && !isSome(own[row] ?? null));
    if (isOther) undecided[column.name] = 'Is this fee separate from the one in the other column?';
  }
  return { chosen: exact, undecided };
}

/**
 * Finds a net amount that differs from the gross amount plus or minus the fees. Part of the cost must then be in an
 * unmapped column.
 */
function findUnexplainedNet(
  free: readonly FieldCandidate[],
  worth: FieldCandidate | undefined,
  { units, price, verdict }: Triple,
  of: (column: SampledColumn) => SampleNumber[],
  fees: readonly SampleNumber[],
  { perContract, taxes }: KnownColumns,
): SampledColumn | undefined {
  if (units === undefined || worth === undefined || verdict === 'net') return undefined;
  const gross =
    worth === price ? product(inContracts(of(units.column), perContract), of(price.column)) : of(worth.column);
  return free
    .filter(({ field, column }) => field === 'total' && column !== worth.column && netNames.test(` ${column.whole} `))
    .map(({ column }) => column)
    .find((column) =>
      of(column).some((net, row) =>
        isUnexplained(net, gross[row] ?? null, size(fees[row] ?? 0n) + size(taxes[row] ?? 0n)),
      ),
    );
}

const columnsMax = 8;

interface Triple {
  readonly units?: FieldCandidate;
  readonly price?: FieldCandidate;
  readonly money?: FieldCandidate;
  readonly verdict: AmountVerdict;
}

/**
 * Returns the best combination of units, price and money. Agreement between the numbers counts first, then the column
 * names.
 */
function findBestTriple(
  free: readonly FieldCandidate[],
  known: KnownColumns,
  of: (column: SampledColumn) => SampleNumber[],
  fees: readonly SampleNumber[],
): Triple {
  const fits = (field: MappedField): (FieldCandidate | undefined)[] => [
    ...free
      .filter((one) => one.field === field && one.confidence >= 0.5 && mayBe(one, known))
      .toSorted((a, b) => b.confidence - a.confidence || a.rank - b.rank)
      .slice(0, columnsMax),
    undefined,
  ];
  const moneys = [...fits('amount').slice(0, -1), ...fits('total')];
  let best: { triple: Triple; score: number } = { triple: { verdict: 'unknown' }, score: -1 };
  for (const units of fits('quantity')) {
    for (const price of fits('price')) {
      for (const money of moneys) {
        const three = [units, price, money].flatMap((one) => (one === undefined ? [] : [one]));
        if (new Set(three.map(({ column }) => column)).size < three.length) continue;
        if (units !== undefined && money !== undefined && haveOneUnit(units, money, known)) continue;
        const verdict =
          units === undefined || price === undefined || money === undefined
            ? 'unknown'
            : findBestVerdict(of(units.column), of(price.column), of(money.column), fees, known);
        const triple = { ...(units && { units }), ...(price && { price }), ...(money && { money }), verdict };
        const score = three.reduce((sum, one) => sum + one.confidence - one.rank / 1000, 0) + evidence(triple, known);
        if (score > best.score) best = { triple, score };
      }
    }
  }
  return best.triple;
}

/**
 * Returns the best verdict when reading the rows as contracts, then with prices per contract, then after withheld tax.
 */
function findBestVerdict(
  units: readonly SampleNumber[],
  prices: readonly SampleNumber[],
  money: readonly SampleNumber[],
  fees: readonly SampleNumber[],
  { perContract, taxes }: KnownColumns,
): AmountVerdict {
  const priced = inContracts(units, perContract);
  const verdict = compareAmounts(priced, prices, money, fees);
  if (verdict !== 'other' && verdict !== 'near') return verdict;
  const byContract = compareAmounts(units, prices, money, fees);
  if (byContract === 'gross' || byContract === 'net') return byContract;
  const charges = money.map((_, row) => size(fees[row] ?? 0n) + size(taxes[row] ?? 0n));
  const afterTax = taxes.some(isSome) ? compareAmounts(priced, prices, money, charges) : verdict;
  return afterTax === 'net' ? afterTax : verdict;
}

function inContracts(units: readonly SampleNumber[], perContract: readonly (bigint | null)[]): SampleNumber[] {
  return units.map((value, row) => (value === null ? null : (value * (perContract[row] ?? oneUnit)) / oneUnit));
}

const oneUnit = 10n ** 18n;

const verdictScores: Readonly<Record<AmountVerdict, number>> = { gross: 3, net: 3, near: 0.2, other: -0.4, unknown: 0 };

function evidence({ units, money, price, verdict }: Triple, known: KnownColumns): number {
  // The only number column next to an asset holds its units.
  const lonely =
    units === undefined && money !== undefined && known.hasAsset && !known.hasCurrency && !known.paysMoney ? -0.7 : 0;
  const counted = units !== undefined && money === undefined && price === undefined && known.hasCurrency ? -0.7 : 0;
  const filled = units !== undefined && money !== undefined ? 0.2 : 0;
  return verdictScores[verdict] + lonely + counted + filled + (price !== undefined && units === undefined ? -1 : 0);
}

/** Returns whether a column's unit allows this field. For example, dollars cannot be units of a coin. */
function mayBe({ field, column }: FieldCandidate, known: KnownColumns): boolean {
  if (column.samples.length === 0) return false;
  // `BTC amount` counts coins unless another column names the asset.
  if ((field === 'amount' || field === 'total') && !known.hasAsset && coinOfHeader(column.name) !== '') return false;
  return (
    field !== 'quantity' ||
    (column.unit === '' && ![...collectUnits(column, known.isComma)].some((unit) => fiat.test(unit)))
  );
}

/** Returns whether units and money are in the same coin. One of the two columns must then hold something else. */
function haveOneUnit(units: FieldCandidate, money: FieldCandidate, known: KnownColumns): boolean {
  const [own, other] = [collectUnits(units.column, known.isComma), collectUnits(money.column, known.isComma)];
  return own.size > 0 && other.size > 0 && [...own].some((unit) => other.has(unit));
}

const fiat = /^(?:USD|EUR|GBP|JPY|CAD|AUD|CHF)$/;

/** Returns whether the money includes the fee. */
function holdsFee(
  column: SampledColumn,
  verdict: AmountVerdict,
  context: {
    readonly of: (column: SampledColumn) => SampleNumber[];
    readonly fees: readonly SampleNumber[];
    readonly free: readonly FieldCandidate[];
    readonly known: KnownColumns;
    readonly feeColumns: readonly FieldCandidate[];
  },
): 'with' | 'without' | 'unknown' {
  const { of, fees, free, known, feeColumns } = context;
  if (verdict === 'gross') return 'without';
  if (verdict === 'net') return 'with';
  if (!fees.some((fee, row) => isSome(fee) && isSome(of(column)[row] ?? null)))
    return netNames.test(` ${column.whole} `) ? 'with' : 'without';
  const ofCoin =
    known.hasPair ||
    known.hasFeeAsset ||
    feeColumns.some(({ column: fee }) => collectUnits(fee, known.isComma).size > 0 || coinOfHeader(fee.name) !== '');
  const others = free.filter((one) => one.column !== column && (one.field === 'amount' || one.field === 'total'));
  for (const other of others) {
    if (!differsByFee(of(other.column), of(column), fees)) continue;
    if (netNames.test(` ${other.column.whole} `)) return 'without';
    if (netNames.test(` ${column.whole} `)) return 'with';
  }
  if (netNames.test(` ${column.whole} `)) return 'with';
  if (grossNames.test(` ${column.whole} `)) return 'without';
  return ofCoin && !known.hasPair && !known.hasFeeAsset ? 'without' : 'unknown';
}

const netNames = / (?:net|inclusive|incl|netto|nettobetrag|nettobelopp|neto|nets|líquido|受渡金額|受渡代金) /;
const grossNames = / (?:gross|subtotal|principal|notional|brut|brutto|lordo|bruto|約定金額|約定代金) /;

function sumColumns(columns: readonly (readonly SampleNumber[])[]): SampleNumber[] {
  const [first = []] = columns;
  return first.map((_, row) => columns.reduce((sum, column) => sum + (column[row] ?? 0n), 0n));
}

function product(units: readonly SampleNumber[], prices: readonly SampleNumber[]): SampleNumber[] {
  return units.map((value, row) => {
    const price = prices[row] ?? null;
    return value === null || price === null ? null : (value * price) / 10n ** 18n;
  });
}
