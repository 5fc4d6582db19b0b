import { useLocation } from 'preact-iso';
import { homePath } from '../api/books.ts';
import { hasSessionEnded, signIn } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { PasskeyButton, ProviderButtons, SignInForm } from '../parts/sign-in/sign-in-form.tsx';

/** The sign-in page. Also shown instead of a page that requires a session, which appears after the sign-in. */
export default function SignIn() {
  const { path, route } = useLocation();
  const goOn = () => {
    if (path === '/sign-in') route(homePath(), true);
  };
  return (
    <Page title="Sign in">
      {hasSessionEnded.value && (
        <p class="notice" role="status">
          Your session has ended. Sign in to continue where you left off.
        </p>
      )}
      <SignInForm
        verb="Sign in"
        isNew={false}
        onSubmit={async (email, password, totp, restore) => {
          await signIn(email, password, totp, restore);
          goOn();
        }}
      />
      <PasskeyButton onDone={goOn} />
      <ProviderButtons />
      <p>
        <a href="/reset">Forgot your password?</a>
      </p>
      <p>
        New here? <a href="/register">Create account</a>.
      </p>
    </Page>
  );
}
