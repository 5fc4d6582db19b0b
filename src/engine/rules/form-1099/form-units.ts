import { formatQuantity, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Disposal } from '../../model.ts';

/** Units of a line that a row of Form 1099 reports. */
export interface FormUnits {
  /** The id of the row. */
  readonly row: string;
  readonly units: Quantity;
}

/** The rows of Forms 1099 that report a line, in the order in which they were matched. */
export function parseFormUnits({ formRows = [] }: Pick<Disposal, 'formRows'>): FormUnits[] {
  return formRows.map((text) => {
    const end = text.indexOf(' ');
    return { row: text.slice(end + 1), units: parseQuantity(text.slice(0, end)) as Quantity };
  });
}

/** Adds a form row to those of a line. */
export function withFormUnits({ formRows = [] }: Pick<Disposal, 'formRows'>, row: string, units: bigint): string[] {
  return [...formRows, `${formatQuantity(units as Quantity)} ${row}`];
}
