/**
 * Rows that the server stores per second. The server reports few events while it stores a file, so the progress follows
 * the time. 100,000 rows took 41 seconds on a small server; later files use the pace of the last large one.
 */
let rowsPerSecond = 2_500;
const learnedRowsMin = 1_000;

/** Takes the pace of a stored file as that of the next ones. */
export function learnPace(rows: number, seconds: number): void {
  if (rows >= learnedRowsMin && seconds > 0) rowsPerSecond = rows / seconds;
}

interface UploadPace {
  /** From 0 to 1, and never 1 before the end. */
  readonly share: number;
  /** Null if the file takes longer than expected. */
  readonly secondsLeft: number | null;
}

/** Estimates how far the storing of these rows is. After nine tenths of the expected time, the share grows slower. */
export function estimateStoring(rows: number, elapsedSeconds: number): UploadPace {
  const expected = Math.max(1, rows / rowsPerSecond);
  const part = elapsedSeconds / expected;
  const share = part < steadyPart ? part : 1 - (1 - steadyPart) * Math.exp((steadyPart - part) * 2);
  return { share, secondsLeft: elapsedSeconds < expected ? expected - elapsedSeconds : null };
}

const steadyPart = 0.9;
const bytesPerRow = 80;

/** Estimates the seconds that sending the rest of a file and storing it take. */
export function estimateSending(bytes: number, sentShare: number, elapsedSeconds: number): number {
  return (elapsedSeconds * (1 - sentShare)) / sentShare + bytes / bytesPerRow / rowsPerSecond;
}

/** Formats `62%, about 15 seconds left`. Times under two seconds are not worth a mention. */
export function paceText(share: number, secondsLeft: number | null): string {
  const percent = `${Math.min(99, Math.floor(share * 100))}%`;
  if (secondsLeft === null) return `${percent}, almost done`;
  if (secondsLeft < 2) return percent;
  const minutes = Math.round(secondsLeft / 60);
  if (secondsLeft < 55) return `${percent}, about ${Math.ceil(secondsLeft / 5) * 5} seconds left`;
  return `${percent}, about ${minutes} minute${minutes === 1 ? '' : 's'} left`;
}
