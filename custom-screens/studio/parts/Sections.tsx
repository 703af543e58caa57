/** The sections of the form. */
export function Sections() {
  return null;
}
