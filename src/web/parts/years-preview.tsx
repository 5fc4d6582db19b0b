import { Money } from './amount.tsx';
import { Scroll } from './scroll.tsx';

/** A tax year before and after a change that was only tried. Null: the year has no activity. */
export interface TriedYear {
  readonly year: number;
  readonly before: TriedFigures | null;
  readonly after: TriedFigures | null;
}

interface TriedFigures {
  readonly shortTerm: { readonly gain: string };
  readonly longTerm: { readonly gain: string };
  readonly total: { readonly gain: string };
}

/** What each year's gain would become. */
export function YearsPreview({ years }: { readonly years: readonly TriedYear[] }) {
  const changed = years.filter(({ before, after }) => gainsOf(before) !== gainsOf(after));
  if (changed.length === 0) return <p>The gain of no tax year changes.</p>;
  return (
    <Scroll label="What the years become">
      <table>
        <thead>
          <tr>
            <th scope="col">Tax year</th>
            <th scope="col" class="number">
              Gain now
            </th>
            <th scope="col" class="number">
              Gain then
            </th>
            <th scope="col" class="number">
              Short-term then
            </th>
            <th scope="col" class="number">
              Long-term then
            </th>
          </tr>
        </thead>
        <tbody>
          {changed.map(({ year, before, after }) => (
            <tr key={year}>
              <th scope="row">{year}</th>
              <td class="number">
                <Money amount={before?.total.gain ?? '0'} signed />
              </td>
              <td class="number">
                <strong>
                  <Money amount={after?.total.gain ?? '0'} signed />
                </strong>
              </td>
              <td class="number">
                <Money amount={after?.shortTerm.gain ?? '0'} signed />
              </td>
              <td class="number">
                <Money amount={after?.longTerm.gain ?? '0'} signed />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function gainsOf(figures: TriedFigures | null): string {
  return [figures?.shortTerm.gain ?? '0.00', figures?.longTerm.gain ?? '0.00'].join(' ');
}
