import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'preact/hooks';

interface WindowListOptions {
  readonly count: number;
  /** Returns the height of an item in pixels. A different function means that heights have changed. */
  readonly sizeOf: (item: number) => number;
  /** Height of the page above the list, in pixels. */
  readonly top: number;
  /** An item that remains in the page while scrolling because it has the focus. */
  readonly kept: number | null;
}

/** Lays out a long list that scrolls with the page and draws only the items near the viewport. */
export function useWindowList({ count, sizeOf, top, kept }: WindowListOptions): Virtualizer<Window, HTMLElement> {
  const [, draw] = useReducer((turn: number) => turn + 1, 0);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    estimateSize: sizeOf,
    scrollMargin: top,
    overscan: 12,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    // The viewport without the fixed elements at the top and bottom.
    scrollPaddingStart: 160,
    scrollPaddingEnd: 110,
    initialOffset: () => window.scrollY,
    rangeExtractor: (range) => withKept(defaultRangeExtractor(range), kept),
    onChange: () => draw(undefined as never),
  };
  const [list] = useState(() => new Virtualizer<Window, HTMLElement>(options));
  list.setOptions(options);
  useEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  useLayoutEffect(() => list.measure(), [list, sizeOf]);
  return list;
}

function withKept(items: number[], kept: number | null): number[] {
  return kept === null || items.includes(kept) ? items : [...items, kept].sort((a, b) => a - b);
}

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
