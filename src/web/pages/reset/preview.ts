import { useEffect, useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { toProblem } from '../../api/problem.ts';

export type PreviewedReset = Awaited<ReturnType<typeof readPreview>>;

/**
 * Reads what the link can reset. The password can be set without this information, so no options are shown if the
 * request fails.
 */
export function usePreview(token: string): { readonly preview: PreviewedReset | null; readonly isRefused: boolean } {
  const [preview, setPreview] = useState<PreviewedReset | null>(null);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (token === '') return;
    readPreview(token).then(setPreview, (error: unknown) => setRefused(toProblem(error).code === 'invalid'));
  }, [token]);
  return { preview, isRefused };
}

function readPreview(token: string) {
  return unwrapResponse(api.auth.password.reset.preview.post({ token }));
}
