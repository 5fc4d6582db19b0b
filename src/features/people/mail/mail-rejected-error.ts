/** Thrown if an email was rejected permanently and must not be retried. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';
}
