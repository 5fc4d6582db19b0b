import { yearMax, yearMin } from '../../../../base/day.ts';
import { type Money, parseMoney, parseQuantity, type Quantity } from '../../../../base/decimal.ts';
import { Refusal } from '../../../../base/refusal.ts';
import type { AssistantTool } from '../../../../deps.ts';
import { type ToolWords, toolWords } from './words.ts';

/** A tool with a title for users. */
export interface BookTool extends AssistantTool {
  readonly title: string;
  /** Whether results contain names or text from the taxpayer's files. */
  readonly quotesFiles: boolean;
}

interface ToolArguments {
  readonly year: number;
  readonly asset: string;
  readonly wantedAsset: string | null;
}

/** Creates a tool that reads the books and takes at most a year and an asset. */
export function bookTool(name: keyof typeof toolWords, look: (input: ToolArguments) => Promise<unknown>): BookTool {
  const { title, description, wanted }: ToolWords = toolWords[name];
  const properties = {
    ...(wanted.includes('year') ? { year: { type: 'integer', description: 'Tax year, such as 2025.' } } : {}),
    ...(wanted.some((each) => each !== 'year')
      ? { asset: { type: 'string', description: 'Name in the books, such as AAPL or BTC.' } }
      : {}),
  };
  const required = wanted.filter((each) => !each.endsWith('?'));
  return {
    ...{ name, title, description },
    quotesFiles: true,
    parameters: buildObjectSchema(properties, required),
    call: async (input) =>
      look({
        year: wanted.includes('year') ? requireYear(input.year) : 0,
        asset: wanted.includes('asset') ? requireAsset(input.asset) : '',
        wantedAsset: input.asset === undefined || input.asset === null ? null : requireAsset(input.asset),
      }),
  };
}

function requireYear(value: unknown): number {
  const year = Number(value);
  if (Number.isInteger(year) && year >= yearMin && year <= yearMax) return year;
  throw new Refusal('invalid', `year is a whole number from ${yearMin} to ${yearMax}.`);
}

export function requireAsset(value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= 200 && !value.includes('\0')) return value;
  throw new Refusal('invalid', 'asset is the name of one asset, as in the books.');
}

/** Returns the schema of an object with only these properties. */
export function buildObjectSchema(properties: Readonly<Record<string, object>>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function plannedNumbers(input: Readonly<Record<string, unknown>>): { quantity: Quantity; price: Money | null } {
  const quantity = parseQuantity(String(input.quantity));
  const price = input.price === undefined || input.price === null ? null : parseMoney(String(input.price));
  if (quantity === undefined || price === undefined) {
    throw new Refusal('invalid', 'quantity and price are positive decimal numbers, such as 2.5.');
  }
  return { quantity, price };
}
