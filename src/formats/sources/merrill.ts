import type { Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount } from '../cells/amounts.ts';
import { formatOption, type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { cashMoved, noOptionNamed, requiredHere, unknownActivity } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, rowsInGroups, type StatedFields, type Time } from '../reader.ts';
import { asDebt } from '../tables/bonds.ts';
import { optionEvent, optionStated } from '../tables/brokers.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { roundToMoney } from '../tables/legs.ts';
import { OptionRows, splitTrade } from '../tables/option-positions.ts';

/**
 * Reads Merrill Edge activity for several accounts, newest first. Dates have no time, the amount is net, with
 * parentheses for money paid, and `--` means empty. Whether an option trade opens or closes follows from the account's
 * older trades in the file. The shares of an exercise or assignment have their own row on the same day.
 */
export const merrill = brokerFormat(
  { id: 'merrill', name: 'Merrill Edge activity', source: 'Merrill' },
  [
    {
      id: 'activity',
      price: 'Price ($)',
      header: `Trade Date | Settlement Date | Pending/Settled | Account Registration | Account # | Type |
        Description 1 | Symbol/CUSIP # | Quantity | Price ($) | Amount ($)`,
    },
  ],
  (...file) => withDeliveries(rowsInGroups(() => new OptionRows(), readRow)(...file)),
);

const kinds: readonly (readonly [RegExp, TransactionType | 'cash'])[] = [
  [/^option expired/, 'expire'],
  [/^option assign/, 'assign'],
  [/^option exercise/, 'exercise'],
  [/^option purchase/, 'buy'],
  [/^option sale/, 'sell'],
  [/^(?:purchase|buy|reinvestment share)/, 'buy'],
  [/^(?:sale|sell|redemption|redeemed|matur|full call|bond call)/, 'sell'],
  [/^(?:(?:qualified|non-?qualified|ordinary|cash|special|foreign|money market) )?dividends?\b/, 'dividend'],
  [/^(?:long[- ]term (?:capital )?gains?|capital gains?)\b/, 'capital_gain_distribution'],
  [/^short[- ]term (?:capital )?gains?\b/, 'dividend'],
  [
    /^(?:(?:bond|bank|credit|cd|muni(?:cipal)?|treasury|bank deposit) )?interest\b(?! charged| paid| expense)/,
    'interest',
  ],
  [/^(?:foreign tax|tax withh)/, 'withholding'],
  [/^(?:transfer|withdrawal|deposit|funds|wire|check|ach|contribution|journal|fee|advisory)/, 'cash'],
];

function readRow(cells: Cells, options: OptionRows): readonly Outcome[] {
  const text = cells.text('Description 1').toLowerCase();
  const kind = kinds.find(([pattern]) => pattern.test(text))?.[1];
  if (kind === undefined) return [cells.rejected('Description 1', 'unknown_type', unknownActivity)];
  if (/^pending/i.test(cells.text('Pending/Settled')))
    return [cells.skip('Not settled yet; included in a later export')];
  if (kind === 'cash') return [cells.skip(cashMoved)];
  const registration = cells.text('Account Registration').replace(/^--$/, '');
  const account = [registration, cells.text('Account #').slice(-4)].filter((part) => part !== '').join(' ');
  const option = readOption(respell(cells.text('Description 2')));
  const isOption = option !== undefined || text.startsWith('option');
  if (isOption) return readContracts(cells, kind, option, account, options);
  const other = readOther(cells, kind, account);
  const [draft] = other.kind === 'read' ? other.drafts : [];
  if ((kind !== 'buy' && kind !== 'sell') || draft === undefined) return [other];
  // Held together with the options, because one of them may have delivered these shares.
  const quantity = draft.quantity ?? (0n as Quantity);
  return options.add({ on: draft.on, key: '', does: 'shares', quantity, outcome: () => other });
}

/** Rewrites `CALL XYZ 00432.5 SAMPLE INC EXP 01-30-26` in a spelling that `readOption` parses. */
function respell(description: string): string {
  return description.replace(
    /^(CALL|PUT) (\S+) ([\d.]+) .*?EXP (\d{2})-(\d{2})-(\d{2})\b.*$/,
    (_text, right, root, strike, month, day, year) => `${root} ${month}/${day}/20${year} ${strike} ${right}`,
  );
}

function readContracts(
  cells: Cells,
  kind: TransactionType,
  option: OptionSymbol | undefined,
  account: string,
  options: OptionRows,
): readonly Outcome[] {
  if (option === undefined) return [cells.rejected('Description 2', 'bad_option', noOptionNamed)];
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  const amount = magnitude(cells.money('Amount ($)'));
  if (kind === 'buy' || kind === 'sell') cells.need('Amount ($)', amount);
  const time = readRowTime(cells);
  if (quantity === null || time === null || cells.flawed) return [cells.refused()];
  const key = `${account}\n${formatOption(option)}`;
  if (kind === 'expire' || kind === 'assign' || kind === 'exercise') {
    const outcome = (): Outcome =>
      cells.read(time, { ...optionEvent(cells, kind, option, quantity, { cash: amount }), account });
    return options.add({ on: time.on, key, does: 'end', quantity, outcome });
  }
  if (kind !== 'buy' && kind !== 'sell')
    return [cells.rejected('Description 1', 'unknown_type', 'Unknown option activity')];
  const stated = { ...optionStated(option), account };
  return options.add({
    on: time.on,
    key,
    does: kind,
    quantity,
    outcome: (parts) =>
      parts === null
        ? cells.rejected('Quantity', 'unknown_type', 'The file has too many option trades to match. Split the file')
        : cells.read(
            time,
            ...splitTrade(parts, quantity, { amount, fee: null }).map((part) => ({ ...stated, ...part })),
          ),
  });
}

function readOther(cells: Cells, kind: TransactionType, account: string): Outcome {
  const stated = cells.need('Amount ($)', cells.money('Amount ($)'));
  const units = cells.quantity('Quantity');
  // For interest that is reinvested in the account's cash, the quantity contains the dollars.
  const reinvested = stated === 0n && kind === 'interest' && units !== null ? roundToMoney(units) : null;
  const amount = reinvested ?? stated;
  const common = { type: kind, account, asset: cells.text('Symbol/CUSIP #').replace(/^--$/, '').toUpperCase() };
  const time = readRowTime(cells);
  if (kind !== 'buy' && kind !== 'sell')
    return cells.read(time, { ...common, amount: kind === 'withholding' ? negateAmount(amount) : amount });
  if (common.asset === '') cells.reject('Symbol/CUSIP #', 'missing', requiredHere);
  const quantity = cells.need('Quantity', magnitude(units));
  const trade: StatedFields = { ...common, quantity, amount: kind === 'buy' ? negateAmount(amount) : amount };
  const description = [cells.text('Description 1'), cells.text('Description 2')].join(' ');
  return cells.read(time, asDebt(cells, { stated: trade, description, price: 'Price ($)' }));
}

function readRowTime(cells: Cells): Time | null {
  return cells.effectiveTime('Trade Date', ['Description 1', 'Description 2']);
}
