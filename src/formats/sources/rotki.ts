import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, type Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/**
 * Reads rotki's generic trades and events. Times are milliseconds since 1970, and tokens are identified by their
 * contract on a chain.
 */
export const rotki = coinFormat({ id: 'rotki', name: 'rotki generic import', source: 'rotki', zone: 'local' }, [
  {
    id: 'trades',
    header: 'Location | Spend Currency | Receive Currency | Receive Amount | Spend Amount | Timestamp',
    read: readTrade,
  },
  { id: 'events', header: 'Type | Location | Currency | Amount | Fee | Fee Currency | Timestamp', read: readEvent },
]);

const kinds: Kinds = [
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  ['staking', 'staking'],
  ['income', 'other_income'],
  ['loss', 'lost'],
  ['spend', 'spend'],
];

function readTrade(cells: Cells): Outcome {
  const given = nameToken(readSide(cells, 'Spend Currency', 'Spend Amount'));
  const received = nameToken(readSide(cells, 'Receive Currency', 'Receive Amount'));
  const fee = nameToken(readSide(cells, 'Fee Currency', 'Fee'));
  const common = { account: cells.text('Location'), note: cells.text('Description') };
  return readMovement(cells, cells.epoch('Timestamp'), { given, received, fee, kind: 'trade' }, common);
}

function readEvent(cells: Cells): Outcome {
  const moved = nameToken(readSide(cells, 'Currency', 'Amount'));
  const fee = nameToken(readSide(cells, 'Fee Currency', 'Fee'));
  const time = cells.epoch('Timestamp');
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  cells.need('Amount', moved);
  const out = kind === 'withdrawal' || kind === 'lost' || kind === 'spend';
  const common = { account: cells.text('Location'), note: cells.text('Description') };
  return readMovement(cells, time, { ...oneWay(out, moved), fee, kind }, common);
}

/** Common tokens. All others keep their contract as the name. */
const tokens: Readonly<Record<string, string>> = {
  'EIP155:1/ERC20:0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48': 'USDC',
  'EIP155:1/ERC20:0XDAC17F958D2EE523A2206206994597C13D831EC7': 'USDT',
  'EIP155:1/ERC20:0X6B175474E89094C44DA98B954EEDEAC495271D0F': 'DAI',
  'EIP155:1/ERC20:0X2260FAC5E5542A773AA44FBCFEDF7C193BC2C599': 'WBTC',
  'EIP155:1/ERC20:0XC02AAA39B223FE8D0A0E5C4F27EAD9083C756CC2': 'WETH',
  'EIP155:1/ERC20:0X1F9840A85D5AF5BF1D1762F925BDADDC4201F984': 'UNI',
  'EIP155:1/ERC20:0X514910771AF9CA656AF840DFF83E8264ECF986CA': 'LINK',
};

function nameToken(side: Side | null): Side | null {
  return side === null ? null : { ...side, asset: tokens[side.asset] ?? side.asset };
}
