import type { Sql } from '../../db/connection.ts';
import type { Taxpayer } from '../auth/access.ts';
import { planLimitRefusal, planLimits } from '../plans/limits.ts';
import { selectKept } from './status/queries.ts';

/** The bytes that the taxpayer's next import may keep. Refuses where the plan keeps no more of them. */
export async function readSpace(sql: Sql, taxpayer: Taxpayer): Promise<number> {
  const kept = await selectKept(sql, taxpayer.id, ['running', 'completed']);
  const { importsMax, importBytesMax } = planLimits[taxpayer.plan];
  if (kept.imports >= importsMax) {
    const detail = `The ${taxpayer.plan} plan keeps ${importsMax} imports. Undo one that you do not need.`;
    throw planLimitRefusal(detail, 'importsMax', {
      plan: taxpayer.plan,
      limit: importsMax,
      used: kept.imports,
      requested: 1,
    });
  }
  return Math.max(0, importBytesMax - kept.bytes);
}

/** The same under the taxpayer's lock, when the size of the file is known: other files may have come meanwhile. */
export async function takeSpace(sql: Sql, taxpayer: Taxpayer, bytes: number): Promise<void> {
  const kept = await selectKept(sql, taxpayer.id, ['completed']);
  if (kept.bytes + bytes > planLimits[taxpayer.plan].importBytesMax) throw spaceRefusal(taxpayer, kept.bytes, bytes);
}

/** The file as it comes, refused once it passes what may be kept. Null: no limit. */
export function within(
  content: ReadableStream<Uint8Array>,
  bytesMax: number | null,
  taxpayer: Taxpayer,
): ReadableStream<Uint8Array> {
  if (bytesMax === null) return content;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      bytes += piece.length;
      if (bytes > bytesMax) {
        throw spaceRefusal(taxpayer, planLimits[taxpayer.plan].importBytesMax - bytesMax, bytes);
      }
      controller.enqueue(piece);
    },
  });
  return content.pipeThrough(counter);
}

function spaceRefusal({ plan }: Taxpayer, used: number, requested: number) {
  const limit = planLimits[plan].importBytesMax;
  const megabytes = (limit / 1_000_000).toLocaleString('en-US');
  const detail = `The ${plan} plan keeps ${megabytes} MB of imported files. Undo imports that you do not need.`;
  return planLimitRefusal(detail, 'importBytesMax', { plan, limit, used, requested });
}
