/** Thrown if the embedded database can't be used. The message is one line for whoever starts the program. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}
