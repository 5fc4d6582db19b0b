import { magnitude, sum } from '../cells/amounts.ts';
import { type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { grossPaid, grossReceived, optionStated } from '../tables/brokers.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Firstrade's trades and other account activity, with dates but no times. Amounts are net and signed. Only the
 * description shows options and reinvestments, such as `CALL ACME 01/17/25 150 ACME INC … OPEN CONTRACT`.
 */
export const firstrade = brokerFormat({ id: 'firstrade', name: 'Firstrade history', source: 'Firstrade' }, [
  {
    id: 'history',
    price: 'Price',
    header: `Symbol | Quantity | Price | Action | Description | TradeDate | SettledDate | Interest | Amount |
      Commission | Fee | RecordType`,
    read: readRow,
  },
]);

const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'Amount', price: 'Price' };

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['dividend', 'dividend'],
  ['interest', 'interest'],
];

function readRow(cells: Cells): Outcome {
  const [quantity, net] = [cells.quantity('Quantity'), cells.money('Amount')];
  const fee = sum(magnitude(cells.money('Commission')), magnitude(cells.money('Fee')));
  const accrued = cells.money('Interest');
  const time = cells.effectiveTime('TradeDate', ['Description']);
  const description = cells.text('Description');
  if (cells.flawed) return cells.refused();
  const activity = { asset: cells.text('Symbol').toUpperCase(), quantity, net, fee, description, accrued };
  if (cells.text('Action').toLowerCase() === 'other') {
    if (/\bREIN\b/.test(description) && (accrued ?? 0n) === 0n)
      return readActivity(cells, time, 'buy', columns, activity);
    if (quantity !== null && quantity !== 0n) return cells.rejected('Action', rejections.sharesUnexplained);
    if (/\btax/i.test(description)) return cells.rejected('Action', rejections.taxedPaymentUnclear);
    if (cashWords.test(description)) return cells.skip(skips.cashMoved);
    return cells.rejected('Description', rejections.paymentUnexplained);
  }
  const kind = readRowKind(cells, 'Action', kinds);
  if (typeof kind !== 'string') return kind;
  const trades = kind === 'buy' || kind === 'sell';
  const option = trades ? readOption(respell(description)) : undefined;
  if (option !== undefined && (accrued ?? 0n) !== 0n) return cells.rejected('Interest', rejections.accruedElsewhere);
  if (option !== undefined && (kind === 'buy' || kind === 'sell'))
    return readContracts(cells, kind, option, description);
  return readActivity(cells, time, kind, columns, activity);
}

const cashWords =
  /^(?:(?:electronic|account|internal|bank|cash) )?(?:ach|wired?|deposits?|withdrawals?|disbursement|transfer|funds|check|journal|sweep|contribution)\b|\b(?:fees?|margin interest)$|\bfee\b/i;

/** Rewrites `CALL ACME   01/17/25    150    ACME INC …` in the form that `readOption` parses. */
function respell(description: string): string {
  const [, right = '', root = '', day = '', strike = ''] =
    /^(CALL|PUT)\s+(\S+)\s+(\d{2}\/\d{2}\/\d{2})\s+([\d.]+)\s/.exec(`${description} `) ?? [];
  return `${root} ${day} ${strike} ${right}`;
}

function readContracts(cells: Cells, side: 'buy' | 'sell', option: OptionSymbol, description: string): Outcome {
  const does = /\bOPEN(?:ING)? CONTRACT/.test(description)
    ? 'open'
    : /\bCLOS(?:E|ING) CONTRACT/.test(description)
      ? 'close'
      : null;
  if (does === null) return cells.rejected('Description', rejections.contractsUnclear);
  const net = cells.need('Amount', cells.money('Amount'));
  const fee = sum(magnitude(cells.money('Commission')), magnitude(cells.money('Fee')));
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  const amount = side === 'buy' ? grossPaid(net, fee) : grossReceived(net, fee);
  return cells.read(cells.effectiveTime('TradeDate', ['Description']), {
    ...optionStated(option),
    type: `${side}_to_${does}`,
    quantity,
    amount,
    fee,
  });
}
