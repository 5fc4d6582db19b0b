import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { derivative, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/** Reads Blockpit's export (day first, no zone) and its import table. Spreadsheets corrupt the ids. */
export const blockpit = coinFormat(
  { id: 'blockpit', name: 'Blockpit transactions', source: 'Blockpit', zone: 'local', dates: 'day first' },
  [
    {
      id: 'export',
      header: `Timestamp | Integration | Transaction Type | Outgoing Asset | Outgoing Amount | Incoming Asset |
        Incoming Amount | Fee Asset | Fee Amount`,
      read: (cells) => readRow(cells, true),
    },
    {
      id: 'import',
      header: `Date (UTC) | Integration Name | Label | Outgoing Asset | Outgoing Amount | Incoming Asset |
        Incoming Amount`,
      read: (cells) => readRow(cells, false),
    },
  ],
);

const kinds: Kinds = [
  ['trade', 'trade'],
  [/margin|derivative|futures/, derivative],
  [/deposit|nontaxable ?in|non-taxable in/, 'deposit'],
  [/withdrawal|nontaxable ?out|non-taxable out/, 'withdrawal'],
  [/staking|masternode/, 'staking'],
  [/lending|interest/, 'interest'],
  [/bount|reward|cashback|referral/, 'reward'],
  [/airdrop|fork/, 'airdrop'],
  [/mining/, 'mining'],
  [/income|salary/, 'other_income'],
  [/^gift.*received|^gift in/, 'gift_in'],
  [/gift/, 'gift_out'],
  [/donation/, 'donate'],
  [/lost|hack|theft/, 'lost'],
  [/payment|spend/, 'spend'],
  [/fee/, 'fee'],
];

function readRow(cells: Cells, exported: boolean): Outcome {
  const given = readSide(cells, 'Outgoing Asset', 'Outgoing Amount');
  const received = readSide(cells, 'Incoming Asset', 'Incoming Amount');
  const fee = exported
    ? readSide(cells, 'Fee Asset', 'Fee Amount')
    : readSide(cells, 'Fee Asset (optional)', 'Fee Amount (optional)');
  const time = exported ? cells.time('Timestamp') : cells.time('Date (UTC)', 'UTC');
  const kind = readRowKind(cells, exported ? 'Transaction Type' : 'Label', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const type = kind === 'gift_out' && received !== null ? 'gift_in' : kind;
  const common = {
    account: cells.text(exported ? 'Integration' : 'Integration Name'),
    externalId: cells.text(exported ? 'Transaction ID' : 'Trx. ID (optional)'),
    note: cells.text(exported ? 'Note' : 'Comment (optional)'),
  };
  return readMovement(cells, time, { given, received, fee, kind: type }, common);
}
