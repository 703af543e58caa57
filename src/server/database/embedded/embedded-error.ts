/** The embedded database cannot be had. The message is one line for whoever starts the program. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}
