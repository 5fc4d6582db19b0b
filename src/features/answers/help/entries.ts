import accounts from './entries/accounts.md' with { type: 'text' };
import basisAndLots from './entries/basis-and-lots.md' with { type: 'text' };
import deadlines from './entries/deadlines.md' with { type: 'text' };
import digitalAssets from './entries/digital-assets.md' with { type: 'text' };
import forms from './entries/forms.md' with { type: 'text' };
import holding from './entries/holding.md' with { type: 'text' };
import howTo from './entries/how-to.md' with { type: 'text' };
import lossesAndRates from './entries/losses-and-rates.md' with { type: 'text' };
import lotbook from './entries/lotbook.md' with { type: 'text' };
import optionsAndShorts from './entries/options-and-shorts.md' with { type: 'text' };
import stocksAndBonds from './entries/stocks-and-bonds.md' with { type: 'text' };
import washSales from './entries/wash-sales.md' with { type: 'text' };
import { type HelpEntry, parseEntries } from './entry.ts';

/** All entries of the help center, by title. */
export const helpEntries: readonly HelpEntry[] = [
  forms,
  holding,
  basisAndLots,
  washSales,
  lossesAndRates,
  digitalAssets,
  optionsAndShorts,
  stocksAndBonds,
  accounts,
  deadlines,
  howTo,
  lotbook,
]
  .flatMap(parseEntries)
  .sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));

const byId: ReadonlyMap<string, HelpEntry> = new Map(helpEntries.map((entry) => [entry.id, entry]));

export function findHelpEntry(id: string): HelpEntry | undefined {
  return byId.get(id);
}
