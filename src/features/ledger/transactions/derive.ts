import { type Day, dayIn } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import { findDifferingNames } from '../../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules, Transaction } from '../../../engine/model.ts';
import { isNearNewYear } from '../../../engine/rules/questions/new-year.ts';
import {
  countFingerprints,
  type DerivableRow,
  type DerivedChange,
  type RowsToClassify,
  selectDerivableRows,
  selectRowsToClassify,
  selectTimed,
  selectUnsettled,
  updateDerived,
} from './derived.queries.ts';
import { type StageScope, selectIdKey } from './rows.queries.ts';
import { parseStatedNames, RowIds, type TouchedKeys, toTransaction, touch } from './rows.ts';
import { prepare } from './staging.ts';

/**
 * The settings that determine the derived values of a row: the day if the row has a time, the class if the file
 * contains none, the asset names if the settings contain other names, and the position if the row has several sources.
 * Derived values change with the elections, the taxpayer's time zone and the imports.
 */
export interface Resolution extends ClassRules {
  /** The taxpayer's time zone. */
  readonly timeZone: string;
}

/**
 * Updates the rows that this import shares with others. A row with several sources gets the lowest line, time zone and
 * class of all of them, so that the order of imports does not matter. If `without` is true, ignores this import as a
 * source.
 */
export async function settle(
  sql: Sql,
  scope: StageScope,
  without: boolean,
  resolution: Resolution,
): Promise<TouchedKeys> {
  const rows = await selectUnsettled(sql, scope, without);
  const changes = rows.map((row): DerivedChange => {
    const source = row.corrected
      ? row
      : { time_zone: row.settled_zone, stated_class: row.settled_stated_class, source_class: row.settled_source_class };
    return derive(row, { ...source, line: row.settled_line }, resolution);
  });
  return write(sql, scope.taxpayerId, changes);
}

/** Updates the days of rows after the taxpayer's time zone changed, including the days when lots were identified. */
export async function redate(sql: Sql, taxpayerId: string, resolution: Resolution): Promise<TouchedKeys> {
  const rows = await selectTimed(sql, taxpayerId);
  const changes = rows.map((row) => derive(row, row, resolution));
  return write(
    sql,
    taxpayerId,
    changes.filter(
      // Includes rows near New Year's even if their day does not change, because the time zone is now known and the
      // issue about it is resolved.
      ({ before, after }) =>
        before.on !== after.statement.on ||
        before.identifiedAt !== null ||
        (before.at !== null && isNearNewYear(before.at)),
    ),
  );
}

/**
 * Resolves the classes of these rows again after the settings changed. Rows whose class changes move to other books.
 */
export async function reclassify(
  sql: Sql,
  taxpayerId: string,
  of: RowsToClassify,
  resolution: Resolution,
): Promise<TouchedKeys> {
  return deriveRows(sql, taxpayerId, await selectRowsToClassify(sql, taxpayerId, of), resolution);
}

/**
 * Updates the derived values of rows that an undo restored, because elections, time zone and sources may have changed
 * since.
 */
export async function deriveRestored(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
  resolution: Resolution,
): Promise<TouchedKeys> {
  return deriveRows(sql, taxpayerId, await selectDerivableRows(sql, taxpayerId, ids), resolution);
}

async function deriveRows(
  sql: Sql,
  taxpayerId: string,
  rows: readonly DerivableRow[],
  resolution: Resolution,
): Promise<TouchedKeys> {
  const changes = rows
    .map((row) => ({ ...derive(row, row, resolution), row }))
    .filter((change) => isOther(change) || meansOther(change));
  const moved = changes.filter(meansOther);
  const known = await countFingerprints(sql, taxpayerId, [...new Set(moved.map(({ after }) => after.fingerprint))]);
  const occurrences = new Map(known.map((row) => [row.fingerprint, row.occurrence]));
  const renamed = new Set(moved);
  const ids = new RowIds(await selectIdKey(sql, taxpayerId));
  return write(
    sql,
    taxpayerId,
    changes.map((change) => {
      if (!renamed.has(change)) return change;
      const { fingerprint } = change.after;
      // Equal rows may already be stored with this class, so the occurrence number starts after them.
      const occurrence = (occurrences.get(fingerprint) ?? 0) + (change.row.occurrence ?? 1);
      return { ...change, identity: { fingerprint, occurrence, id: ids.computeRowId(fingerprint, occurrence) } };
    }),
  );
}

function isOther({ before, after }: DerivedChange): boolean {
  return (
    before.assetClass !== after.assetClass ||
    before.on !== after.statement.on ||
    findDifferingNames(before, after.statement) !== null
  );
}

/**
 * Returns whether a row would get a different id if its file were imported again. Ignores the other assets in the
 * account.
 */
function meansOther({ row, before, after }: DerivedChange & { readonly row: DerivableRow }): boolean {
  if (row.occurrence === null || row.fingerprint === after.fingerprint) return false;
  return !row.corrected || keyOf(before) !== after.keys[0];
}

type SourceColumns = Pick<DerivableRow, 'time_zone' | 'stated_class' | 'source_class' | 'line'>;

function derive(row: DerivableRow, source: SourceColumns, resolution: Resolution): DerivedChange {
  const before = toTransaction(row);
  const on: Day = before.at === null ? before.on : dayIn(before.at, source.time_zone ?? resolution.timeZone);
  const statement = {
    ...before,
    ...parseStatedNames(row),
    on,
    assetClass: source.stated_class satisfies AssetClass | null,
  };
  const context = { ...resolution, sourceClass: source.source_class, timeZone: source.time_zone };
  return { before, after: prepare(statement, source.line, context) };
}

async function write(sql: Sql, taxpayerId: string, changes: readonly DerivedChange[]): Promise<TouchedKeys> {
  const touched = new Map<string, Day>();
  for (const { before, after } of changes) {
    for (const key of [...listAssetKeys(before), ...after.keys]) {
      touch(touched, key, before.on);
      touch(touched, key, after.statement.on);
    }
  }
  if (changes.length > 0) await updateDerived(sql, taxpayerId, changes);
  return touched;
}

function keyOf(transaction: Transaction): string | undefined {
  return listAssetKeys(transaction)[0];
}
