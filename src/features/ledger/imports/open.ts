import type { Deps } from '../../../deps.ts';
import type { ImportDeps } from './import-deps.ts';
import { ReadingWorker } from './reading/reading.ts';
import { openSmallImports, openStoringWorkers, storingJobs } from './run.ts';

/** One for all applications in this process, such as those of tests. */
const readingWorker = new ReadingWorker();

/** Creates the dependencies of imports. The Workers start on first use. */
export function openImports(deps: Deps): ImportDeps {
  const importDeps = {
    ...deps,
    readingWorker,
    storingWorkers: openStoringWorkers(),
    smallImports: openSmallImports(),
  };
  deps.jobs.handle('import', storingJobs(importDeps));
  return importDeps;
}
