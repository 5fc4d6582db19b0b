import { useId } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { hasClients } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { useTaxYear } from '../api/tax-year.ts';
import { clients, type Destination, ofAllYears, ofYear, tools } from '../destinations.ts';
import { Icon } from '../parts/icon.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { badges } from './badges.tsx';

/** The pages of the tax year and of all years. Toasts appear below them, so they never cover an action. */
export function Sidebar() {
  const year = useTaxYear();
  return (
    <div class="side">
      <nav aria-label="Pages">
        <a class="brand" href={to('/overview')}>
          <Logo /> Lotbook
        </a>
        {hasClients() && <PageList pages={[clients]} />}
        <PageList label={String(year ?? '…')} pages={ofYear} />
        <PageList label="All years" pages={ofAllYears} />
        <PageList pages={tools} />
      </nav>
      <Toasts />
    </div>
  );
}

/** The icon of the browser tab: two lots in a book. */
function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 22h16M8 16h10M8 10h6" />
    </svg>
  );
}

interface PageListProps {
  readonly label?: string;
  readonly pages: readonly Destination[];
}

function PageList({ label, pages }: PageListProps) {
  const id = useId();
  return (
    <>
      {label !== undefined && (
        <p id={id} class="nav-group">
          {label}
        </p>
      )}
      <ul aria-labelledby={label === undefined ? undefined : id}>
        {pages.map((page) => (
          <li key={page.href}>
            <PageLink page={page} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A link to a page, with the number of things that wait there. */
export function PageLink({ page: { href, icon, label } }: { readonly page: Destination }) {
  const { path } = useLocation();
  const Badge = badges[href];
  const isHere = path === href || path.startsWith(`${href}/`) || (href === '/forms' && path === '/funds');
  return (
    <a class="page-link" href={to(href)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {Badge !== undefined && <Badge />}
    </a>
  );
}
