import { formatQuantity, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Disposal } from '../../model.ts';

/** The number of a line's units that a row of Form 1099 reports. */
export interface FormUnits {
  readonly row: string;
  readonly units: Quantity;
}

/** Parses the rows of Forms 1099 that report a line, in the order in which they were matched. */
export function parseFormUnits({ formRows = [] }: Pick<Disposal, 'formRows'>): FormUnits[] {
  return formRows.map((text) => {
    const end = text.indexOf(' ');
    return { row: text.slice(end + 1), units: parseQuantity(text.slice(0, end)) as Quantity };
  });
}

/** Returns the form rows of a line, with one more added. */
export function withFormUnits({ formRows = [] }: Pick<Disposal, 'formRows'>, row: string, units: bigint): string[] {
  return [...formRows, `${formatQuantity(units as Quantity)} ${row}`];
}
