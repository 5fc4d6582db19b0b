import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { queryNow, to } from '../api/page-url.ts';

interface SortHeadProps {
  readonly path: string;
  /** The value of the URL's `sort`, which is preceded by `-` for the descending order. */
  readonly name: string;
  /** The order without `sort` in the URL. */
  readonly usual: string;
  readonly isNumber?: boolean;
  /** Hidden on a phone. */
  readonly isSpare?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The heading of a sortable column. Clicking the sorted column reverses the order. Numbers start with the largest. */
export function SortHead({ path, name, usual, isNumber = false, isSpare = false, ...own }: SortHeadProps) {
  const { query } = useLocation();
  const sort = query.sort ?? usual;
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const turned = direction === 'ascending' || (direction === undefined && isNumber) ? `-${name}` : name;
  return (
    <th scope="col" class={own.class ?? `${isNumber ? 'number' : ''}${isSpare ? ' spare' : ''}`} aria-sort={direction}>
      <a
        class="sort"
        href={to(path, { ...queryNow(), line: null, open: null, sort: turned === usual ? null : turned })}
      >
        {own.children}
        <span aria-hidden="true">{direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</span>
      </a>
    </th>
  );
}
