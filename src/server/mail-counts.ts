/** Emails sent by this server since its start, for its metrics. */
export class MailCounts {
  sent = 0;
  givenUp = 0;
}
