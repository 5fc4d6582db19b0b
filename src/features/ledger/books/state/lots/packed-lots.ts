import type { LotVersion, PackedLots, PackedVersions, StoredLotRow } from './lots.queries.ts';

/** Unpacks lots from one text. A lot's text is JSON, so it contains no separators for lots or fields. */
export function unpackLots({ packed }: PackedLots): StoredLotRow[] {
  return packed.split(betweenLots).map((text) => {
    const basisAt = text.indexOf(betweenFields) + 1;
    const costedAt = text.indexOf(betweenFields, basisAt) + 1;
    const stateAt = text.indexOf(betweenFields, costedAt) + 1;
    const state = text.slice(stateAt);
    return {
      id: parseLotId(state),
      validFrom: basisAt === 1 ? null : text.slice(0, basisAt - 1),
      state,
      basis: text.slice(basisAt, costedAt - 1),
      costed: text.charAt(costedAt) === 't',
    };
  });
}

export function unpackVersions({ packed, validTo }: PackedVersions): LotVersion[] {
  return packed.split(betweenLots).map((text) => {
    const stateAt = text.indexOf(betweenFields) + 1;
    const state = text.slice(stateAt);
    return { id: parseLotId(state), validFrom: stateAt === 1 ? null : text.slice(0, stateAt - 1), validTo, state };
  });
}

/** Returns the id at the beginning of a lot's text. */
function parseLotId(state: string): string {
  const end = state.indexOf('"', 2);
  const id = state.slice(2, end);
  return id.includes('\\') ? (JSON.parse(state) as [string])[0] : id;
}

const [betweenFields, betweenLots] = ['\u001f', '\u001e'];
