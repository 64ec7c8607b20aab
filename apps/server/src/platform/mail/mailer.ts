export interface Mail {
  /** A UUID. A mail with the same id is the same mail, and the outbox keeps one copy. */
  id?: string;
  to: string;
  subject: string;
  /** Plain text; the link, if any, is on a line of its own. */
  text: string;
  /** The link of the mail, shown on the console and the outbox page in outbox mode. */
  link?: string;
  /** The job that sends it, if one does: a failed mail is sent again by it. */
  job?: { name: string; payload: object };
}

export interface Mailer {
  readonly kind: 'outbox' | 'smtp';
  /** Resolves when the mail has been stored or accepted by the mail server; throws otherwise. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
