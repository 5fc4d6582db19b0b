import { commonCoins } from './common-coins.ts';
import { commonSecurities } from './common-securities.ts';

/** Names by symbol. A coin and a security can share a symbol. */
export const securities = parseNames(commonSecurities);
export const coins = parseNames(commonCoins);

function parseNames(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const end = line.indexOf(' ');
        return [line.slice(0, end), line.slice(end + 1)];
      }),
  );
}

/** Returns the symbols whose name contains the text. */
export function listSymbolsNamed(names: ReadonlyMap<string, string>, text: string): string[] {
  const part = text.toLowerCase();
  return [...names].flatMap(([symbol, name]) => (name.toLowerCase().includes(part) ? [symbol] : []));
}
