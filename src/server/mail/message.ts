/** A mailbox with the name of whoever reads it. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** A mail as it is sent; the sender is the installation's. */
export interface Message {
  readonly to: Mailbox;
  readonly replyTo?: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The way out for mail. */
export interface Transport {
  /** Resolves once the mail is handed over; throws where it cannot be, or the signal comes first. */
  send(message: Message, signal: AbortSignal): Promise<void>;
  close(): void;
}
