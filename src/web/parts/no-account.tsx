import { LinkButton } from './button.tsx';
import { Page } from './page.tsx';

/** Shown in the demo instead of the account pages. */
export function NoAccount({ title }: { readonly title: string }) {
  return (
    <Page title={title} lead="You're in the demo and don't have an account yet.">
      <p class="actions">
        <LinkButton label="Create account" isPrimary href="/register" />
      </p>
    </Page>
  );
}
