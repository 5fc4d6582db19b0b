import { useEffect, useMemo, useState } from 'preact/hooks';

interface RowHeights {
  /** Pixels. */
  readonly head: number;
  readonly row: number;
}

/** Returns the height of a row, which has one line, or two on a phone, and grows with the user's font size. */
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

/** On a phone, as in styles/transactions.css. */
export const narrow = window.matchMedia('(max-width: 56rem)');
