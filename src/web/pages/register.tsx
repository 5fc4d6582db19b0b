import { useLocation } from 'preact-iso';
import { homePath } from '../api/books.ts';
import { register } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { ProviderButtons, SignInForm } from '../parts/sign-in/sign-in-form.tsx';

export default function Register() {
  const { route } = useLocation();
  return (
    <Page title="Create account" lead="Free for up to 50 transactions. No credit card, no email confirmation.">
      <SignInForm
        verb="Create account"
        isNew
        onSubmit={async (email, password) => {
          await register(email, password);
          route(homePath(), true);
        }}
      />
      <ProviderButtons />
      <p>
        Already have an account? <a href="/sign-in">Sign in</a>.
      </p>
      <p class="fine">
        See how your data is kept: <a href="/privacy">Privacy</a> · <a href="/terms">Terms</a>
      </p>
    </Page>
  );
}
