/** Maximum size of a JSON body in bytes; also of all texts of a form together. */
export const maxBodySize = 5 * 1024 * 1024;
/** Maximum size of a body from somebody who is not signed in: such calls carry a few short texts. */
export const maxPublicBodySize = 64 * 1024;
/** Limits of users whose registration is not confirmed: enough to look around with a few records. */
export const unconfirmedLimits = { body: 256 * 1024, form: 10 * 1024 * 1024 } as const;
/** Maximum size of one file of a form. */
export const maxFileSize = 5 * 1024 * 1024;

/** Whether a body comes in pieces so small that receiving them costs more than what they contain. */
export const isFragmented = (pieces: number, bytes: number) => pieces > 4_000 + bytes / 64;
export const fragmentedMessage = 'The body comes in too many small pieces. Please send it in larger ones.';

/** `5 MB`, `64 kB`. */
export function formatByteSize(bytes: number): string {
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB'];
  return `${Math.round(size * 10) / 10} ${unit}`;
}

/** The message for a body that is too large. */
export const tooLargeMessage = (maxBytes: number) =>
  `This is too large: at most ${formatByteSize(maxBytes)} can be sent at once.`;
export const unconfirmedMessage = (maxBytes: number) =>
  `${tooLargeMessage(maxBytes).slice(0, -1)} until the email address of your registration is confirmed.`;
