import { formatDay, formatInstant } from '../../../base/day.ts';
import { type Cents, formatCents, formatMoney, formatQuantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Disposal, Line, Transaction, WashSale } from '../../../engine/model.ts';
import { linesOf } from '../../../engine/year.ts';
import { factIdOf, urlSafe } from '../../../forms/ids.ts';
import { selectValuations, type ValuationRow } from '../../prices/queries.ts';
import { mapped, transactionOf } from '../../transactions/columns.ts';
import { readRaw } from '../../transactions/sources/raw.ts';
import { transactionIn } from '../facts/grouped.ts';
import { selectDisposalsOf, selectWashSalesOn } from '../facts/queries.ts';
import { selectSources } from '../queries.ts';
import { lineView } from '../view.ts';
import { selectTransactions } from './queries.ts';

/** How each number of a line came about; undefined where there is no such line. */
export async function explain(sql: Sql, taxpayerId: string, id: string) {
  const factId = factIdOf(id);
  const openedBy = transactionIn(factId);
  if (!transactionId.test(openedBy)) return undefined;
  const disposal = (await selectDisposalsOf(sql, taxpayerId, openedBy)).find((one) => one.id === factId);
  if (disposal === undefined) return undefined;
  const washes = (await selectWashSalesOn(sql, { taxpayerId }, [formatDay(disposal.on)])).filter(
    (wash) => wash.disposalId === factId,
  );
  const [line] = linesOf([disposal], washes);
  if (line === undefined) return undefined;
  return {
    disposal: lineView(line),
    sources: await sourcesOf(sql, taxpayerId, disposal, washes),
    washSales: washes.map((wash) => ({
      replacementLotId: urlSafe(wash.replacementLotId),
      replacementTransactionId: urlSafe(wash.replacementTransactionId),
      quantity: formatQuantity(wash.quantity),
      disallowed: formatCents(wash.disallowed),
      permanent: wash.permanent,
    })),
    steps: [...dateSteps(disposal), ...amountSteps(line, washes), boxStep(disposal)],
  };
}

type Role = 'disposal' | 'lot' | 'replacement';

async function sourcesOf(sql: Sql, taxpayerId: string, disposal: Disposal, washes: readonly WashSale[]) {
  const opener = disposal.lotId.split('/')[0] ?? '';
  const roles: [string, Role][] = [
    [disposal.saleId, 'disposal'],
    [opener, 'lot'],
    ...washes.map((wash): [string, Role] => [wash.replacementTransactionId, 'replacement']),
  ];
  const ids = [...new Set(roles.map(([id]) => id))].filter((id) => transactionId.test(id));
  const transactions = new Map(
    (await selectTransactions(sql, taxpayerId, ids)).map((row) => [row.id, transactionOf(row)]),
  );
  const told = await tellersOf(sql, taxpayerId, ids);
  const used = Map.groupBy(await selectValuations(sql, taxpayerId, ids), (row) => row.transaction_id);
  return roles.flatMap(([id, role], at) => {
    const transaction = transactions.get(id);
    const repeated = roles.findIndex(([other, otherRole]) => other === id && otherRole === role) < at;
    return transaction === undefined || repeated
      ? []
      : [sourceView(role, transaction, told.get(id), used.get(id) ?? [])];
  });
}

interface Teller {
  readonly file: string;
  readonly line: number;
  /** The lines of the file that made the row, as they were written. */
  readonly raw: string | null;
}

/** So many rows are shown as they were written: a sale may wash against hundreds of purchases. */
const rawMax = 50;

async function tellersOf(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<Map<string, Teller>> {
  const tellers = new Map<string, Teller>();
  for (const { id, import_id, file, line } of await selectSources(sql, taxpayerId, ids)) {
    const isShown = tellers.size < rawMax;
    const raw = isShown ? (await readRaw(sql, taxpayerId, { importId: import_id, line })).raw : null;
    tellers.set(id, { file, line, raw });
  }
  return tellers;
}

const transactionId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function sourceView(role: Role, transaction: Transaction, told: Teller | undefined, used: readonly ValuationRow[]) {
  return {
    role,
    transactionId: transaction.id,
    type: transaction.type,
    date: transaction.at === null ? formatDay(transaction.on) : formatInstant(transaction.at),
    account: transaction.account,
    asset: transaction.asset,
    quantity: mapped(transaction.quantity, formatQuantity),
    amount: mapped(transaction.amount, formatMoney),
    fee: mapped(transaction.fee, formatMoney),
    file: told?.file ?? null,
    line: told?.line ?? null,
    raw: told?.raw ?? null,
    currency: transaction.currency,
    prices: used.map(({ figure, asset, day, usd, source }) => ({ figure, asset, date: day, usd, source })),
  };
}

function dateSteps(disposal: Disposal) {
  const chosen = {
    identified: 'The lot was named in time, by its row or by a standing order.',
    late: 'The lot was named too late.',
    default: 'The method in force chose the lot.',
  }[disposal.identified];
  const tacked = disposal.heldSince !== disposal.acquired;
  const term = disposal.term === 'long' ? 'more than one year' : 'one year or less';
  return [
    {
      column: '(b)',
      value: lineDate(disposal),
      text: `${chosen}${tacked ? ` Its holding period begins with ${formatDay(disposal.heldSince)}, for another one is added to it.` : ''}`,
      citations: ['26 CFR 1.1012-1(c), (j)', ...(tacked ? ['IRC 1223'] : [])],
    },
    {
      column: '(c)',
      value: formatDay(disposal.sold),
      text: disposal.inherited
        ? 'Inherited property is long-term, however long it was held.'
        : `Held ${term}: the day of acquisition is not counted, the day of sale is.`,
      citations: [disposal.inherited ? 'IRC 1223(9)' : 'IRC 1222; Rev. Rul. 66-7'],
    },
  ];
}

function lineDate(disposal: Disposal): string {
  return disposal.inherited ? 'INHERITED' : disposal.acquiredVarious ? 'VARIOUS' : formatDay(disposal.acquired);
}

function amountSteps({ disposal, code, adjustment, gain }: Line, washes: readonly WashSale[]) {
  const basisText = disposal.basisUnknown
    ? 'The basis is not known and stands as zero until it is supplied.'
    : 'The share of the lot’s basis that belongs to these units, fees of the purchase included; what is left stays with the lot.';
  const steps = [
    {
      column: '(d)',
      value: formatCents(disposal.proceeds),
      text: 'The share of the sale that belongs to these units, less its fees.',
      citations: ['IRC 1001(b)'],
    },
    { column: '(e)', value: formatCents(disposal.basis), text: basisText, citations: ['IRC 1011, 1012'] },
  ];
  if (adjustment !== 0n || code !== '') {
    const units = washes.map((wash) => formatQuantity(wash.quantity)).join(' + ');
    const denied = `Of the loss ${formatCents(sumOf(washes))} is denied: ${units} units were replaced within 30 days.`;
    const told = [...code].flatMap((letter) => (letter === 'W' && washes.length > 0 ? [] : (codeWords[letter] ?? [])));
    const text = [...(washes.length > 0 ? [denied] : []), ...told].join(' ');
    const citations = [
      ...(washes.length > 0 ? ['IRC 1091; 26 CFR 1.1091-1'] : []),
      ...(told.length > 0 ? ['Instructions for Form 8949, columns (f) and (g)'] : []),
    ];
    steps.push({ column: '(f), (g)', value: `${code} ${formatCents(adjustment)}`.trim(), text, citations });
  }
  steps.push({ column: '(h)', value: formatCents(gain), text: '(d) − (e) + (g).', citations: ['Form 8949'] });
  return steps;
}

const codeWords: Readonly<Record<string, string>> = {
  B: 'The form shows another basis: one that the IRS has stands in (e), and (g) puts it right.',
  E: 'The form shows the proceeds before what the sale cost, which is taken off here.',
  L: 'A gift sold between its two bases: this loss does not count.',
  O: 'Of what the merger brought this much is not recognized.',
  T: 'The form shows another term.',
  W: 'As the broker reported it.',
};

function sumOf(washes: readonly WashSale[]): Cents {
  return washes.reduce((sum, wash) => sum + wash.disallowed, 0n) as Cents;
}

function boxStep(disposal: Disposal) {
  return {
    column: 'box',
    value: disposal.box,
    text: disposal.boxReason,
    citations: ['Instructions for Form 8949, Part I and II check boxes'],
  };
}
