import { openWorker } from '../../http/worker.ts';
import type { Half, HalfOrder } from './half.ts';
import type { BookPart } from './parts.ts';
import type { FromWorker, ReplayJob, ToWorker } from './report-worker.ts';

/** The second thread, as the first one sees it. It starts when it is first asked for something. */
export class Helper {
  private worker: Worker | null = null;

  /** Null where the half cannot be read by itself. */
  async readHalf(order: HalfOrder): Promise<Half | null> {
    const answer = await this.ask({ kind: 'read', order });
    return answer.kind === 'half' ? answer.half : null;
  }

  async replay(job: ReplayJob): Promise<ReadonlyMap<number, BookPart>> {
    const answer = await this.ask({ kind: 'replay', job });
    return answer.kind === 'parts' ? answer.parts : new Map();
  }

  close(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private ask(question: ToWorker): Promise<FromWorker> {
    this.worker ??= openWorker('commands/report/report-worker.ts', true);
    const { worker } = this;
    const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'failed') reject(new Error(data.reason));
      else resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(`The second thread failed: ${message}`));
    worker.postMessage(question);
    return promise;
  }
}
