import { Page } from './page.tsx';

/** What a page about the account shows beside the demo books. */
export function NoAccount({ title }: { readonly title: string }) {
  return (
    <Page title={title} lead="These are the demo books, and you have no account yet.">
      <p class="actions">
        <a class="button primary" href="/register">
          Create an account
        </a>
      </p>
    </Page>
  );
}
