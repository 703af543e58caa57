/** Passwords are never shown: nothing. */
export function Cell() {
  return null;
}
