/**
 * Remembers the uploads of this tab across a reload. If another user signs in to the tab, it forgets them, and also the
 * answers about their columns.
 */
const name = 'uploads';
const draftPrefix = 'draft:mapping ';

/** Returns null if there are none. Without an owner, it only forgets them. */
export function recallUploads<Uploads>(owner: string | null): Uploads | null {
  const kept: { owner: string; uploads: Uploads } | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
  if (kept === null || kept.owner === owner) return kept?.uploads ?? null;
  for (const key of Object.keys(sessionStorage)) {
    if (key === name || key.startsWith(draftPrefix)) sessionStorage.removeItem(key);
  }
  return null;
}

/** Remembers the uploads, or only their `short` form if the browser has too little space. */
export function keepUploads(owner: string, uploads: object, short: object): void {
  try {
    sessionStorage.setItem(name, JSON.stringify({ owner, uploads }));
  } catch {
    sessionStorage.setItem(name, JSON.stringify({ owner, uploads: short }));
  }
}
