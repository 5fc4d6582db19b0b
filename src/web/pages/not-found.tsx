import { to } from '../api/page-url.ts';
import { Page } from '../parts/page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <p>
        Check the address, or <a href={to('/overview')}>go to your overview</a>.
      </p>
    </Page>
  );
}
