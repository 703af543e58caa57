/** What stands above the editor: what somebody else published meanwhile. */
export function Notices() {
  return null;
}
