import type { PackedLots, StoredLot } from './queries.ts';
import type { PackedPastLots, PastLot } from './versions/queries.ts';

/** Lots that came in one text. A lot's own text is JSON: what parts lots and fields stands in none. */
export function storedLotsIn({ packed }: PackedLots): StoredLot[] {
  return packed.split(betweenLots).map((text) => {
    const basisAt = text.indexOf(betweenFields) + 1;
    const costedAt = text.indexOf(betweenFields, basisAt) + 1;
    const stateAt = text.indexOf(betweenFields, costedAt) + 1;
    const state = text.slice(stateAt);
    return {
      id: idIn(state),
      after: basisAt === 1 ? null : text.slice(0, basisAt - 1),
      state,
      basis: text.slice(basisAt, costedAt - 1),
      costed: text.charAt(costedAt) === 't',
    };
  });
}

export function pastLotsIn({ packed, until }: PackedPastLots): PastLot[] {
  return packed.split(betweenLots).map((text) => {
    const stateAt = text.indexOf(betweenFields) + 1;
    const state = text.slice(stateAt);
    return { id: idIn(state), after: stateAt === 1 ? null : text.slice(0, stateAt - 1), until, state };
  });
}

/** The id that a lot's text begins with. */
function idIn(state: string): string {
  const end = state.indexOf('"', 2);
  const id = state.slice(2, end);
  return id.includes('\\') ? (JSON.parse(state) as [string])[0] : id;
}

const [betweenFields, betweenLots] = ['\u001f', '\u001e'];
