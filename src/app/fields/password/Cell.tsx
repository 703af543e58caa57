/** Passwords are never shown. */
export function Cell() {
  return null;
}
