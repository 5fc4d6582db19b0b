import { say } from '../api/toasts.ts';
import { Button } from './button.tsx';

/** A text that the user passes on, such as a token or a link, with a button that copies it. */
export function CopyText({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  };
  return (
    <p class="actions">
      <code class="token">{text}</code>
      <Button
        label="Copy"
        class="primary"
        onClick={() => copy().catch(() => say("The browser couldn't copy it. Select the text and copy it."))}
      />
    </p>
  );
}
