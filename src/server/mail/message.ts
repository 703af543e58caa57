/** An email address with the recipient's name. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** A mail as sent; the sender is the installation. */
export interface Message {
  readonly to: Mailbox;
  readonly replyTo?: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Sends mail. */
export interface Transport {
  /** Resolves once the mail is accepted; throws if it cannot be sent or the signal is aborted first. */
  send(message: Message, signal: AbortSignal): Promise<void>;
  close(): void;
}
