import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { quantity, sumMoney } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { smallestAt } from '../../format/scale.ts';
import { Money } from '../../parts/amount.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { type PlannedSale, previewSale, type SalePreview, useMethodInForce } from './sale.ts';

export interface SaleResult {
  readonly answer: SalePreview;
  readonly sale: PlannedSale;
}

/** The lot method with the lowest gain in one sentence, with its lots as a text for the broker. */
export function Recommendation({ answer, sale }: SaleResult) {
  const inForce = useMethodInForce(answer);
  const { comparison } = answer;
  const best = comparison[smallestAt(comparison.map(({ gain }) => gain))];
  const current = comparison.find(({ method }) => method === inForce);
  const isBest = best === undefined || current === undefined || best.gain === current.gain;
  const method = isBest ? inForce : best.method;
  const request = { ...sale, method: method === inForce ? '' : method };
  const chosen = useResource(`what-if ${JSON.stringify(request)}`, () => previewSale(request)).data;
  if (best === undefined || current === undefined) return null;
  // Brokers sell first in, first out without instructions, and an average basis identifies no lots.
  const needsText = method !== 'AVERAGE' && (method !== 'FIFO' || inForce !== 'FIFO');
  return (
    <section class="card">
      <h2>Which lots to sell</h2>
      {isBest ? (
        <p>
          No other lot method has a lower gain than your method, {methodNames[method]}: <Money amount={best.gain} />.
        </p>
      ) : (
        <p>
          <a href={to('/planning', { ...request })}>{methodNames[method]}</a> has the lowest gain:{' '}
          <Money amount={best.gain} />, which is <Money amount={sumMoney([current.gain, `-${best.gain}`])} /> less than
          with your method, {methodNames[inForce]}.
        </p>
      )}
      {chosen !== undefined && chosen.disposals.length > 0 && needsText && (
        <>
          <p>To sell these lots, send this text to your broker before the trade settles:</p>
          <CopyText text={buildInstruction(chosen)} what="Text" />
        </>
      )}
    </section>
  );
}

/** Identifies the lots of a planned sale by quantity and date of purchase. */
function buildInstruction({ sales, disposals }: SalePreview): string {
  const [sale] = sales;
  if (sale === undefined) return '';
  const lots = disposals.map(
    ({ quantity: units, acquired }) =>
      `${quantity(units)} ${acquired === null ? 'with no known purchase date' : `acquired ${day(acquired)}`}`,
  );
  const rule = sale.assetClass === 'crypto' || sale.assetClass === 'nft' ? '1.1012-1(j)' : '1.1012-1(c)';
  return [
    `Please sell ${quantity(sale.quantity)} ${sale.asset} in my account ${sale.account} from these lots: ${lots.join('; ')}.`,
    `This is an identification under 26 CFR ${rule}. Please confirm it in writing.`,
  ].join(' ');
}
