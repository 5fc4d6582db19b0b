/** The mail was rejected permanently, so retrying is useless. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
