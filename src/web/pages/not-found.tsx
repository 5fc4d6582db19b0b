import { to } from '../api/acting.ts';
import { Page } from '../parts/page.tsx';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        The address may be mistyped, or the page has moved. <a href={to('/year')}>Go to the year</a>.
      </p>
    </Page>
  );
}
