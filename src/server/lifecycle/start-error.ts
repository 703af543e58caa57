/** The program cannot start. The message is one line for the operator: which setting, what is wrong, what to do. */
export class StartError extends Error {
  override name = 'StartError';
}
