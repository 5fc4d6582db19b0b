import { Page } from './page.tsx';

/** Shown in the demo instead of the account pages. */
export function NoAccount({ title }: { readonly title: string }) {
  return (
    <Page title={title} lead="You're in the demo and don't have an account yet.">
      <p class="actions">
        <a class="button primary" href="/register">
          Create account
        </a>
      </p>
    </Page>
  );
}
