import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Material outside this project: golden cases and the geometry of the official forms. */
const shared = process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared');

/** Returns a golden case by its name. If the material is missing, prints a message and returns undefined. */
export function golden(id: string): GoldenCase | undefined {
  return readShared(`golden/${id}.json`) as GoldenCase | undefined;
}

export interface GoldenCase {
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
  readonly expected: {
    readonly disposals: readonly Readonly<Record<string, unknown>>[];
    readonly summary: Readonly<Record<string, unknown>>;
  };
}

/** Returns the measured rectangles of the official PDF forms. */
export function officialLayout(): OfficialLayout | undefined {
  return readShared('forms/layout.json') as OfficialLayout | undefined;
}

export type Rectangle = readonly [left: number, bottom: number, right: number, top: number];

export interface OfficialPage {
  readonly rows_per_page: number;
  readonly row_pitch_pt: number;
  readonly box_fields: Readonly<Record<string, { readonly rect: Rectangle }>>;
  readonly row1_rects: Readonly<Record<string, Rectangle>>;
  readonly totals: Readonly<Record<string, { readonly rect: Rectangle }>>;
}

export interface OfficialLayout {
  readonly form_8949: Readonly<Record<string, { readonly pages: Readonly<Record<'1' | '2', OfficialPage>> }>>;
  readonly schedule_d: Readonly<Record<string, { readonly fields: readonly [number, string, Rectangle][] }>>;
}

function readShared(path: string): unknown {
  const file = join(shared, path);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.log(`${file} is missing, so nothing is compared`);
  return undefined;
}
