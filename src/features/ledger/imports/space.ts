import type { Sql } from '../../../db/connection.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { planLimitRefusal, planLimits } from '../../people/plans/limits.ts';
import { selectKept } from './imports.queries.ts';

/** Returns the number of bytes that the next import may use. Throws if the plan's limit is reached. */
export async function readSpace(sql: Sql, taxpayer: Taxpayer): Promise<number> {
  const kept = await selectKept(sql, taxpayer.id, ['running', 'completed']);
  const { importsMax, importBytesMax } = planLimits[taxpayer.plan];
  if (kept.imports >= importsMax) throw countRefusal(taxpayer, kept.imports);
  return Math.max(0, importBytesMax - kept.bytes);
}

/** Returns the refusal for a file of this size that is only previewed, or null if there is space for it. */
export async function spaceLimitPassed(sql: Sql, taxpayer: Taxpayer, bytes: number) {
  const kept = await selectKept(sql, taxpayer.id, ['completed']);
  const { importsMax, importBytesMax } = planLimits[taxpayer.plan];
  // The previewed import is among the completed ones until it is rolled back.
  const [imports, used] = [kept.imports - 1, kept.bytes - bytes];
  if (imports >= importsMax) return countRefusal(taxpayer, imports);
  return kept.bytes > importBytesMax ? spaceRefusal(taxpayer, used, bytes) : null;
}

/**
 * Checks the limit again under the taxpayer's lock, once the size of the file is known. Other files may have arrived in
 * the meantime.
 */
export async function takeSpace(sql: Sql, taxpayer: Taxpayer, bytes: number): Promise<void> {
  const kept = await selectKept(sql, taxpayer.id, ['completed']);
  if (kept.bytes + bytes > planLimits[taxpayer.plan].importBytesMax) throw spaceRefusal(taxpayer, kept.bytes, bytes);
}

/** Streams the file, and throws once it exceeds the limit. Null means no limit. */
export function limitBytes(
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

function countRefusal({ plan }: Taxpayer, used: number) {
  const limit = planLimits[plan].importsMax;
  const detail = `Your ${plan} plan includes ${limit} imports. Undo an import that you no longer need.`;
  return planLimitRefusal(detail, 'importsMax', { plan, limit, used, requested: 1 });
}

function spaceRefusal({ plan }: Taxpayer, used: number, requested: number) {
  const limit = planLimits[plan].importBytesMax;
  const detail = `Your ${plan} plan includes ${megabytes(limit)} of imported files, and you have ${megabytes(used)}. Undo imports that you no longer need, or upgrade.`;
  return planLimitRefusal(detail, 'importBytesMax', { plan, limit, used, requested });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
}
