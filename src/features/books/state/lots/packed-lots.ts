import type { LotVersion, PackedLots, PackedVersions, StoredLotRow } from './queries.ts';

/** Lots that came in one text. A lot's own text is JSON: no separator of lots or fields occurs in it. */
export function unpackLots({ packed }: PackedLots): StoredLotRow[] {
  return packed.split(betweenLots).map((text) => {
    const basisAt = text.indexOf(betweenFields) + 1;
    const costedAt = text.indexOf(betweenFields, basisAt) + 1;
    const stateAt = text.indexOf(betweenFields, costedAt) + 1;
    const state = text.slice(stateAt);
    return {
      id: idIn(state),
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
    return { id: idIn(state), validFrom: stateAt === 1 ? null : text.slice(0, stateAt - 1), validTo, state };
  });
}

/** The id that a lot's text begins with. */
function idIn(state: string): string {
  const end = state.indexOf('"', 2);
  const id = state.slice(2, end);
  return id.includes('\\') ? (JSON.parse(state) as [string])[0] : id;
}

const [betweenFields, betweenLots] = ['\u001f', '\u001e'];
