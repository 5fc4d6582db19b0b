import type { Sql } from '../../db/connection.ts';
import { splitLoose } from '../../formats/rows/records.ts';
import { recordsAt } from '../../formats/rows/source-text.ts';
import type { FetchedBytes } from '../blobs/read.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { piecesAt } from '../transactions/texts/raw.ts';
import { type AssetSource, selectAssetSources } from './queries.ts';

/** Columns that contain asset names in broker and exchange files, the clearest first. */
const nameColumns = [
  'security name',
  'investment name',
  'asset name',
  'company name',
  'security description',
  'symbol description',
  'instrument name',
  'name',
  'product',
  'description',
];
const charactersMax = 200;

/** Returns the name of each asset as written in the imported files, by asset and class. */
export async function loadNames(
  sql: Sql,
  bytes: FetchedBytes,
  taxpayerId: string,
  assets: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sources = await selectAssetSources(sql, taxpayerId, assets, nameColumns);
  const names = new Map<string, string>();
  for (const [importId, own] of Map.groupBy(sources, (source) => source.import_id)) {
    const cells = await cellsAt(sql, bytes, { taxpayerId, importId }, own);
    for (const { asset, asset_class, line, header } of own) {
      const name = readAssetName(header, cells.get(line) ?? []);
      if (name !== '' && name !== asset) names.set(`${asset_class} ${asset}`, name);
    }
  }
  return names;
}

async function cellsAt(
  sql: Sql,
  bytes: FetchedBytes,
  scope: StageScope,
  sources: readonly AssetSource[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const lines = sources.map(({ line }) => line);
  const cells = new Map<number, readonly string[]>();
  for (const piece of await piecesAt(sql, bytes, scope, lines)) {
    for (const [line, text] of recordsAt(piece, lines)) cells.set(line, splitLoose(text, piece.delimiter).cells);
  }
  return cells;
}

function readAssetName(header: readonly string[], cells: readonly string[]): string {
  const columns = header.map((name) => name.trim().toLowerCase());
  const column = nameColumns.find((name) => columns.includes(name));
  const [name = ''] = (cells[columns.indexOf(column ?? '')] ?? '').trim().split('\n');
  return name.slice(0, charactersMax);
}
