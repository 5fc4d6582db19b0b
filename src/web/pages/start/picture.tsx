import { Money } from '../../parts/amount.tsx';
import { MonthsChart } from '../../parts/bar-chart.tsx';
import { Icon } from '../../parts/icon.tsx';
import { picturedFigures } from './pictured.ts';

/** One year of the demo books, as on its page. */
export function Picture() {
  const { year, shortTerm, longTerm, net, washSales, questions, months } = picturedFigures;
  return (
    <figure class="start-picture">
      <div class="card">
        <p class="figure-name">Tax year {year}</p>
        <p class="start-net">
          <span class="figure">
            <Money amount={net} signed />
          </span>{' '}
          <span class="muted">net gain</span>
        </p>
        <dl class="start-figures">
          <Figure name="Short-term" amount={shortTerm} />
          <Figure name="Long-term" amount={longTerm} />
          <Figure name="Wash sales" amount={washSales} />
        </dl>
        <MonthsChart year={year} months={months} />
        <p class="start-question">
          <Icon name="questions" /> {questions} items to review: 12 SOL received from an unknown source.
        </p>
      </div>
      <figcaption class="fine">Sample data, calculated exactly like yours.</figcaption>
    </figure>
  );
}

function Figure({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  );
}
