import { api, unwrapResponse } from '../../api/api.ts';

export const deskShows = ['all', 'differences', 'questions'] as const;
export type DeskShow = (typeof deskShows)[number];

export type YearDesk = Awaited<ReturnType<typeof readDesk>>;
export type ShownForm = YearDesk['forms'][number];
export type ShownEntry = YearDesk['data'][number];

export function readDesk(query: { readonly year: number; readonly show: DeskShow; readonly cursor?: string }) {
  return unwrapResponse(api.tax.forms.get({ query: { ...query, limit: 100 } }));
}
