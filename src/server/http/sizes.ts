/** What a request may carry at most as JSON, in bytes; also the texts of a form together. */
export const bodyLimit = 5 * 1024 * 1024;
/** What a visitor may send: such calls carry a few short texts. */
export const openBodyLimit = 64 * 1024;
/** What a file of a form may have. */
export const fileLimit = 5 * 1024 * 1024;

/** `5 MB`, `64 kB`. */
export function megabytes(bytes: number): string {
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB'];
  return `${Math.round(size * 10) / 10} ${unit}`;
}

/** What is said of a body that is too large. */
export const tooLargeMessage = (most: number) => `This is too large: at most ${megabytes(most)} can be sent at once.`;
