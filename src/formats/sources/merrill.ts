import type { TransactionType } from '../../engine/model.ts';
import { magnitude } from '../cells/amounts.ts';
import { formatOption, type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { optionStated } from '../tables/brokers.ts';
import { cash } from '../tables/kinds.ts';
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
  activity({
    columns: {
      ...{ time: 'Trade Date', kind: 'Description 1', asset: 'Symbol/CUSIP #', option: 'Description 2' },
      ...{ quantity: 'Quantity', price: 'Price ($)', amount: 'Amount ($)' },
    },
    asOf: ['Description 1', 'Description 2'],
    describes: ['Description 1', 'Description 2'],
    reads: ['quantity'],
    deliveries: 'any',
    unknown: rejections.unknownActivity,
    asset: (cells) => cells.text('Symbol/CUSIP #').replace(/^--$/, '').toUpperCase(),
    option: (cells) => readOption(respell(cells.text('Description 2'))),
    common: (cells) => ({ account: formatAccountName(cells) }),
    open: () => new OptionRows(),
    end: (options) => options.end(),
    skip: ({ cells }, kind) =>
      kind !== undefined && /^pending/i.test(cells.text('Pending/Settled')) ? skips.notSettled : null,
    special: readDifferent,
    kinds: [
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
      [/^(?:transfer|withdrawal|deposit|funds|wire|check|ach|contribution|journal|fee|advisory)/, cash],
    ],
  }),
);

function formatAccountName(cells: Cells): string {
  const registration = cells.text('Account Registration').replace(/^--$/, '');
  return [registration, cells.text('Account #').slice(-4)].filter((part) => part !== '').join(' ');
}

/** Rewrites `CALL XYZ 00432.5 SAMPLE INC EXP 01-30-26` in a spelling that `readOption` parses. */
function respell(description: string): string {
  return description.replace(
    /^(CALL|PUT) (\S+) ([\d.]+) .*?EXP (\d{2})-(\d{2})-(\d{2})\b.*$/,
    (_text, right, root, strike, month, day, year) => `${root} ${month}/${day}/20${year} ${strike} ${right}`,
  );
}

function readDifferent(
  row: ActivityRow,
  type: TransactionType | 'transfer',
  options: OptionRows,
): Outcome | readonly Outcome[] | null {
  const { cells, option } = row;
  if (option !== undefined) return readContracts(row, type, option, options);
  if (row.word.startsWith('option')) return row.rejectOption();
  // For interest that is reinvested in the account's cash, the quantity contains the dollars.
  if (type === 'interest' && row.net === 0n && row.quantity !== null)
    return row.readIncome(type, { amount: roundToMoney(row.quantity) });
  if (type !== 'buy' && type !== 'sell') return null;
  const outcome = row.readTrade(type);
  const [draft] = outcome.kind === 'read' ? outcome.drafts : [];
  if (draft === undefined) return outcome;
  // Held together with the options, because one of them may have delivered these shares.
  const quantity = cells.need('Quantity', draft.quantity);
  return quantity === null
    ? outcome
    : options.add({ on: draft.on, key: '', does: 'shares', quantity, outcome: () => outcome });
}

function readContracts(
  row: ActivityRow,
  type: TransactionType | 'transfer',
  option: OptionSymbol,
  options: OptionRows,
): Outcome | readonly Outcome[] {
  const { cells, time } = row;
  const { account = '' } = row.common;
  const quantity = cells.need('Quantity', magnitude(row.quantity));
  const amount = magnitude(row.net);
  if (type === 'buy' || type === 'sell') cells.need('Amount ($)', amount);
  if (quantity === null || time === null || cells.flawed) return cells.refused();
  const held = { on: time.on, key: `${account}\n${formatOption(option)}`, quantity };
  if (type === 'expire' || type === 'assign' || type === 'exercise')
    return options.add({ ...held, does: 'end', outcome: () => row.readEndOfOption(type) });
  if (type !== 'buy' && type !== 'sell') return cells.rejected('Description 1', rejections.unknownOptionActivity);
  const stated = { ...optionStated(option), account };
  return options.add({
    ...held,
    does: type,
    outcome: (parts) =>
      parts === null
        ? cells.rejected('Quantity', rejections.tooManyContracts)
        : cells.read(
            time,
            ...splitTrade(parts, quantity, { amount, fee: null }).map((part) => ({ ...stated, ...part })),
          ),
  });
}
