import Papa from 'papaparse';
import { readFile } from '../../src/formats/read.ts';
import { peakMemory } from './measure.ts';

/**
 * Reads one file several times in a separate process and prints JSON: its size, the median processor time, and the peak
 * memory of the first time.
 */
const [path = '', work = ''] = process.argv.slice(2);
const runs = Number(process.env.BENCH_READING_RUNS ?? 5);

async function countDrafts(): Promise<number> {
  let drafts = 0;
  for await (const batch of readFile(Bun.file(path).stream(), { timeZone: 'UTC' }))
    if (batch.kind === 'outcomes')
      for (const outcome of batch.outcomes) drafts += outcome.kind === 'read' ? outcome.drafts.length : 0;
  return drafts;
}

/** Splits whole records, in blocks as large as those that Lotbook reads. */
async function countRecords(): Promise<number> {
  const decoder = new TextDecoder();
  let [records, waiting] = [0, ''];
  for await (const bytes of Bun.file(path).stream()) {
    for (let from = 0; from < bytes.length; from += blockBytes) {
      const text = waiting + decoder.decode(bytes.subarray(from, from + blockBytes), { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      waiting = text.slice(end);
      records += Papa.parse(text.slice(0, end), { delimiter: ',', newline: '\n', skipEmptyLines: true }).data.length;
    }
  }
  return records;
}

const blockBytes = 64 * 1024;

const count = work === 'drafts' ? countDrafts : countRecords;
const memory = (await peakMemory(count)) / 1e6;
const counts = new Set<number>();
const seconds: number[] = [];
// The second run measures code that is still being compiled.
await count();
for (let run = 0; run < runs; run++) {
  const before = process.cpuUsage();
  counts.add(await count());
  const { user, system } = process.cpuUsage(before);
  seconds.push((user + system) / 1e6);
}
const [rows = 0] = counts;
if (counts.size !== 1 || rows === 0) throw new Error('The runs read different numbers of rows.');
seconds.sort((a, b) => a - b);
console.log(
  JSON.stringify({ megabytes: Bun.file(path).size / 1e6, seconds: seconds[Math.floor(runs / 2)], memory, rows }),
);
