import { openWorker } from '../http/worker.ts';
import type { BookPart } from './report-parts.ts';
import type { FromWorker, ReplayJob, ToWorker } from './report-worker.ts';

/** The second thread, as the first one sees it. It loads while the first one works. */
export class Helper {
  private readonly worker = openWorker('commands/report-worker.ts', true);

  replay(job: ReplayJob): Promise<ReadonlyMap<number, BookPart>> {
    return this.ask({ kind: 'replay', job }, ({ parts }) => parts);
  }

  close(): void {
    this.worker.terminate();
  }

  private ask<Answer>(
    question: ToWorker,
    read: (answer: Exclude<FromWorker, { kind: 'failed' }>) => Answer,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'failed') reject(new Error(data.reason));
      else resolve(read(data));
    };
    this.worker.onerror = (event) => reject(new Error(`The second thread failed: ${event.message}`));
    this.worker.postMessage(question);
    return promise;
  }
}
