import type { Money } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, type Row, rowByRow } from '../reader.ts';
import { readExchange, readSide, type Side } from '../tables/legs.ts';

/** Reads Binance.US tax statements, in which each leg has a value in dollars. Times have an offset. */
export const binanceUs = coinFormat(
  { id: 'binance-us', name: 'Binance.US tax statement', source: 'Binance.US', zone: 'local' },
  [
    {
      id: 'statement',
      header: `Time | Category | Operation | Transaction_Id | Primary_Asset | Realized_Amount_For_Primary_Asset |
        Base_Asset | Realized_Amount_For_Base_Asset | Quote_Asset | Realized_Amount_For_Quote_Asset | Fee_Asset |
        Realized_Amount_For_Fee_Asset`,
    },
    {
      id: 'statement-2020',
      header: `Time | Category | Operation | Transaction ID | Primary Asset | Realized Amount For Primary Asset |
        Base Asset | Realized Amount For Base Asset | Quote Asset | Realized Amount for Quote Asset | Fee Asset |
        Realized Amount for Fee Asset`,
    },
  ],
  (layout, header, ...rest) => rowByRow(readRow)(layout, inLaterWords(header), ...rest),
);

/** Statements from 2020 have blanks in their headers, and headers without the word "value" after the dollars. */
function inLaterWords(header: Row): Row {
  const cells = header.cells.map((cell) =>
    cell
      .trim()
      .replace(/ +/g, '_')
      .replace(/_in_usd$/i, '_In_USD_Value'),
  );
  return { ...header, cells };
}

function readRow(cells: Cells): Outcome {
  const [primary, base, quote, fee] = (['Primary', 'Base', 'Quote', 'Fee'] as const).map((name) =>
    readSide(cells, `${name}_Asset`, `Realized_Amount_For_${name}_Asset`),
  );
  const time = cells.time('Time', 'UTC');
  const externalId = cells.text('Transaction_Id');
  if (cells.flawed) return cells.refused();
  const category = cells.text('Category').toLowerCase();
  const operation = cells.text('Operation').toLowerCase();
  if (base != null && quote != null) return readTrade(cells, operation, base, quote, fee ?? null, externalId);
  if (primary == null) return cells.rejected('Category', { ...rejections.zeroAmount, code: 'unknown_type' });
  const value = dollars(cells, 'Primary');
  const common = { asset: primary.asset, quantity: primary.quantity, externalId };
  if (category === 'distribution') {
    const type = /stak/.test(operation) ? 'staking' : /airdrop/.test(operation) ? 'airdrop' : 'reward';
    return cells.read(time, { ...common, type, amount: value });
  }
  if (category !== 'deposit' && category !== 'withdrawal')
    return cells.rejected('Category', rejections.unknownCategory);
  if (isCurrency(primary.asset)) return cells.skip(skips.notTaxable(category, primary.asset));
  const gas =
    fee == null || category === 'deposit'
      ? {}
      : { feeAsset: fee.asset, feeQuantity: fee.quantity, fee: dollars(cells, 'Fee') };
  return cells.read(time, { ...common, ...gas, type: category });
}

/**
 * Reads a trade. In a quick purchase, dollars are the base and the coin is the quote. Spot trades have them reversed.
 */
function readTrade(
  cells: Cells,
  operation: string,
  base: Side,
  quote: Side,
  fee: Side | null,
  externalId: string,
): Outcome {
  if (operation !== 'buy' && operation !== 'sell')
    return cells.rejected('Operation', rejections.neitherPurchaseNorSale);
  const buysBase = operation === 'buy' && !isCurrency(base.asset);
  const [given, received] = buysBase ? [quote, base] : [base, quote];
  const value = dollars(cells, received === base ? 'Base' : 'Quote');
  const exchange = { given, received, fee, value, feeValue: dollars(cells, 'Fee') };
  return readExchange(cells, cells.time('Time', 'UTC'), exchange, { externalId });
}

function dollars(cells: Cells, name: 'Primary' | 'Base' | 'Quote' | 'Fee'): Money | null {
  return magnitude(cells.roundedMoney(`Realized_Amount_For_${name}_Asset_In_USD_Value`));
}
