import { expect } from 'bun:test';
import { type Instant, parseDay } from '../../src/base/day.ts';
import { parseMoney, parseQuantity } from '../../src/base/decimal.ts';
import type { Statement } from '../../src/engine/model.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';

const day = (text: string) => parseDay(text) ?? expect.unreachable();
const units = (text: string) => parseQuantity(text) ?? expect.unreachable();
const dollars = (text: string) => parseMoney(text) ?? expect.unreachable();
const instant = (text: string) => (Date.parse(text) * 1000) as Instant;

const trade = {
  ...unstatedMembers,
  type: 'buy',
  on: day('2024-01-02'),
  at: null,
  account: 'Broker',
  asset: 'AAPL',
  quantity: units('10'),
  amount: dollars('1234.50'),
} satisfies Statement;

const everything = {
  ...trade,
  type: 'sell',
  at: instant('2024-01-02T15:30:00.250Z'),
  account: 'My "old" account, Zürich',
  assetClass: 'tokenized_security',
  fee: dollars('-0.35'),
  currency: 'CHF',
  receivedAsset: 'USDC',
  receivedQuantity: units('0.000000000000000001'),
  feeAsset: 'ETH',
  feeQuantity: units('0.25'),
  feeOwn: dollars('0'),
  toAccount: 'Bank\\1',
  acquired: day('2020-02-29'),
  basis: dollars('1000'),
  fmv: dollars('999999999999999.99999999'),
  ratio: { numerator: 3n, denominator: 2n },
  lots: [{ label: 'b3', quantity: units('1.5') }],
  identifiedAt: instant('2024-01-02T15:29:00Z'),
  shares: units('100'),
  underlying: 'MSFT',
  right: 'put',
  box: 'B',
  wash: dollars('12.34'),
  term: 'long',
  externalId: 'ref-1',
  note: 'a note means nothing',
} satisfies Statement;

/** Rows of each kind, and one with every field. */
export const statements: Readonly<Record<string, Statement>> = {
  trade,
  'a trade at a time': { ...trade, type: 'sell', at: instant('2024-01-02T15:30:00Z'), fee: dollars('0.35') },
  'a trade with the name that its source gives it': { ...trade, externalId: 'ref-1' },
  'a trade of a coin': { ...trade, asset: 'BTC', quantity: units('0.000000000000000001'), currency: 'EUR' },
  'an account of several words': { ...trade, account: 'My "old" account, Zürich' },
  'an option by its symbol': { ...trade, type: 'buy_to_open', asset: 'AAPL 2025-01-17 C 150' },
  'a coin for a coin': { ...trade, type: 'trade', asset: 'BTC', receivedAsset: 'ETH', receivedQuantity: units('15') },
  'a coin for a tokenized share': { ...trade, type: 'trade', asset: 'USDC', assetClass: 'nft', receivedAsset: 'ART' },
  'cash that comes': { ...trade, type: 'interest', asset: '', quantity: null },
  'everything at once': everything,
};
