import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Transaction } from '../../engine/model.ts';
import { isUuid } from '../../http/errors.ts';
import { selectSources } from '../books/queries.ts';
import { selectValuations, type ValuationRow } from '../prices/queries.ts';
import { selectTransactions } from '../transactions/list/queries.ts';
import { mapped, transactionOf } from '../transactions/rows/columns.ts';
import { readRaw } from '../transactions/texts/raw.ts';
import { type AnswerRow, selectAnswers, selectSaidByHand } from './queries.ts';
import type { Role } from './source-roles.ts';

/** The rows behind a line, each once in a role, in the order given. */
export async function sourcesOf(sql: Sql, taxpayerId: string, roles: readonly (readonly [string, Role])[]) {
  const ids = [...new Set(roles.map(([id]) => id))].filter(isUuid);
  const rows = await selectTransactions(sql, taxpayerId, ids);
  const transactions = new Map(rows.map((row) => [row.id, transactionOf(row)]));
  const told = await tellersOf(sql, taxpayerId, ids);
  const used = Map.groupBy(await selectValuations(sql, taxpayerId, ids), (row) => row.transaction_id);
  const byHand = await selectSaidByHand(sql, taxpayerId, ids);
  const answers = Map.groupBy(await selectAnswers(sql, taxpayerId, ids), (row) => row.about);
  return roles.flatMap(([id, role], at) => {
    const transaction = transactions.get(id);
    const repeated = roles.findIndex(([other, otherRole]) => other === id && otherRole === role) < at;
    if (transaction === undefined || repeated) return [];
    return {
      ...sourceView(role, transaction, told.get(id), used.get(id) ?? []),
      // What no file tells was by hand from the first.
      corrected: byHand.has(id) && told.has(id),
      answers: (answers.get(id) ?? []).map(answerView),
    };
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

function answerView({ action, given, other, note }: AnswerRow) {
  const { basis = null, acquired = null, amount = null } = given;
  return { action, basis, acquired, amount, with: other, note };
}
