import { cpus } from 'node:os';
import { stopTestServer } from '../../test/support/database.ts';
import { benchAppends } from './append.ts';
import { benchClient } from './client.ts';
import { benchCluster } from './cluster.ts';
import { benchCrowd } from './crowd.ts';
import { benchEngine } from './engine.ts';
import { benchGrowth } from './growth.ts';
import { benchImports } from './imports.ts';
import { formatMeasured } from './measure.ts';
import { benchNeighbors } from './neighbors.ts';
import { benchNotes } from './notes.ts';
import { benchReading } from './reading.ts';
import { benchRenewal } from './renewal.ts';
import { benchReport } from './report.ts';
import { benchReports } from './reports.ts';
import { benchSignIns } from './sign-ins.ts';
import { benchStalled } from './stalled.ts';
import { benchVisits } from './visits.ts';

/**
 * `bun scripts/bench/index.ts [engine] [reading] [imports] [notes] [append] [renewal] [growth] [report] [reports]
 * [neighbors] [client] [visits] [sign-ins] [stalled] [crowd] [cluster]` prints the measurements as rows of a table.
 */
const benches = {
  engine: benchEngine,
  reading: benchReading,
  imports: benchImports,
  notes: benchNotes,
  append: benchAppends,
  renewal: benchRenewal,
  growth: benchGrowth,
  report: benchReport,
  reports: benchReports,
  neighbors: benchNeighbors,
  client: benchClient,
  visits: benchVisits,
  'sign-ins': benchSignIns,
  stalled: benchStalled,
  crowd: benchCrowd,
  cluster: benchCluster,
} as const;
const wanted = process.argv.slice(2);
console.log(`Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`);
console.log('| what | measured |\n|---|---|');
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const measured of await bench()) console.log(formatMeasured(measured));
}
await stopTestServer();
process.exit(0);
