/** Thrown if an email was rejected permanently and must not be retried. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
