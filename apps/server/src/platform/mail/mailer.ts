export interface Mail {
  /** A UUID: who sends a mail of the same id again sends the same mail, of which the outbox keeps one. */
  id?: string;
  to: string;
  subject: string;
  /** Plain text; the link, when there is one, stands in it on a line of its own. */
  text: string;
  /** What the mail is about, shown on the console and on the outbox page in outbox mode. */
  link?: string;
}

export interface Mailer {
  readonly kind: 'outbox' | 'smtp';
  /** Resolves when the mail was stored or the mail server took it; throws otherwise. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
