import { useEffect, useMemo, useState } from 'preact/hooks';

interface RowHeights {
  /** Pixels. */
  readonly head: number;
  readonly row: number;
}

/** A row is one line, on a phone two; as high as the reader's letters ask. */
export function useRowHeights(): RowHeights {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setNarrow(narrow.matches);
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  return useMemo(() => {
    const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    return { head: Math.round(letter * 2.4), row: Math.round(letter * (isNarrow ? 4 : 2.75)) };
  }, [isNarrow]);
}

/** Of a phone, as in styles/transactions.css. */
export const narrow = window.matchMedia('(max-width: 56rem)');
