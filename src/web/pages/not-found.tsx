import { to } from '../api/page-url.ts';
import { Page } from '../parts/page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <p>
        Check the address, or <a href={to('/year')}>go to your overview</a>.
      </p>
    </Page>
  );
}
