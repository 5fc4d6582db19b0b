import type { Day } from '../../../../src/base/day.ts';
import type { State } from '../../state.ts';
import { ofThisReturn } from '../year/separate-returns.ts';
import { raiseDeepPuts } from './deep-puts.ts';
import { raiseYearOfZone } from './new-year.ts';
import { noteOffsetLosses } from './straddles.ts';

/** Raises the questions about a day after its last event, if the day affects amounts taxed on this return. */
export function askAboutDay(state: State, today: Day): void {
  const isNew = (fact: object): boolean => !state.taxedBefore.has(fact);
  const lines = state.lines.filter(isNew);
  const others = [...state.incomes, ...state.contracts].filter(isNew);
  for (const fact of [...lines, ...others]) state.taxedBefore.add(fact);
  const own = ofThisReturn(state.rules, lines);
  noteOffsetLosses(state, own);
  raiseDeepPuts(state, today);
  const sales = own.map(({ saleId }) => ({ transactionId: saleId }));
  raiseYearOfZone(state, today, [...sales, ...ofThisReturn(state.rules, others)]);
}
