/** Maximum size of a JSON body in bytes; also of all texts of a form together. */
export const maxBodySize = 5 * 1024 * 1024;
/** Maximum size of a body from somebody who is not signed in: such calls carry a few short texts. */
export const maxPublicBodySize = 64 * 1024;
/** Maximum size of one file of a form. */
export const maxFileSize = 5 * 1024 * 1024;

/** `5 MB`, `64 kB`. */
export function formatByteSize(bytes: number): string {
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB'];
  return `${Math.round(size * 10) / 10} ${unit}`;
}

/** The message for a body that is too large. */
export const tooLargeMessage = (most: number) =>
  `This is too large: at most ${formatByteSize(most)} can be sent at once.`;
