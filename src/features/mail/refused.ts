/** Nobody will ever take the mail: to try again would be no use. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
