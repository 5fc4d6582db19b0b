import foundation from '../../sql/0001_foundation.sql' with { type: 'text' };
import accounts from '../../sql/0002_accounts.sql' with { type: 'text' };
import ledger from '../../sql/0003_ledger.sql' with { type: 'text' };
import messages from '../../sql/0004_messages.sql' with { type: 'text' };
import prices from '../../sql/0005_prices.sql' with { type: 'text' };
import resolutions from '../../sql/0006_resolutions.sql' with { type: 'text' };
import allocations from '../../sql/0007_allocations.sql' with { type: 'text' };
import yearLocks from '../../sql/0008_year_locks.sql' with { type: 'text' };
import importSources from '../../sql/0009_import_sources.sql' with { type: 'text' };
import stateInRows from '../../sql/0010_state_in_rows.sql' with { type: 'text' };
import firstTellers from '../../sql/0011_first_tellers.sql' with { type: 'text' };
import rowAliases from '../../sql/0012_row_aliases.sql' with { type: 'text' };
import rowsByHand from '../../sql/0013_rows_by_hand.sql' with { type: 'text' };
import importOwners from '../../sql/0014_import_owners.sql' with { type: 'text' };
import linesOfRows from '../../sql/0015_lines_of_rows.sql' with { type: 'text' };
import knownThrough from '../../sql/0016_known_through.sql' with { type: 'text' };
import namedAliases from '../../sql/0017_named_aliases.sql' with { type: 'text' };
import groupedFacts from '../../sql/0018_grouped_facts.sql' with { type: 'text' };
import tellersAskedOnce from '../../sql/0019_tellers_asked_once.sql' with { type: 'text' };
import statesBetween from '../../sql/0020_states_between.sql' with { type: 'text' };
import factsThatMove from '../../sql/0021_facts_that_move.sql' with { type: 'text' };
import answersThatCount from '../../sql/0022_answers_that_count.sql' with { type: 'text' };
import calculationsAsTold from '../../sql/0023_calculations_as_told.sql' with { type: 'text' };

/** One step of the schema. Once released it is never changed: what comes later is a step of its own. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Every file of sql/ that begins with a number, in order; imported as text, so that the binary carries them. */
export const migrations: readonly Migration[] = [
  { number: 1, name: '0001_foundation', sql: foundation },
  { number: 2, name: '0002_accounts', sql: accounts },
  { number: 3, name: '0003_ledger', sql: ledger },
  { number: 4, name: '0004_messages', sql: messages },
  { number: 5, name: '0005_prices', sql: prices },
  { number: 6, name: '0006_resolutions', sql: resolutions },
  { number: 7, name: '0007_allocations', sql: allocations },
  { number: 8, name: '0008_year_locks', sql: yearLocks },
  { number: 9, name: '0009_import_sources', sql: importSources },
  { number: 10, name: '0010_state_in_rows', sql: stateInRows },
  { number: 11, name: '0011_first_tellers', sql: firstTellers },
  { number: 12, name: '0012_row_aliases', sql: rowAliases },
  { number: 13, name: '0013_rows_by_hand', sql: rowsByHand },
  { number: 14, name: '0014_import_owners', sql: importOwners },
  { number: 15, name: '0015_lines_of_rows', sql: linesOfRows },
  { number: 16, name: '0016_known_through', sql: knownThrough },
  { number: 17, name: '0017_named_aliases', sql: namedAliases },
  { number: 18, name: '0018_grouped_facts', sql: groupedFacts },
  { number: 19, name: '0019_tellers_asked_once', sql: tellersAskedOnce },
  { number: 20, name: '0020_states_between', sql: statesBetween },
  { number: 21, name: '0021_facts_that_move', sql: factsThatMove },
  { number: 22, name: '0022_answers_that_count', sql: answersThatCount },
  { number: 23, name: '0023_calculations_as_told', sql: calculationsAsTold },
];
