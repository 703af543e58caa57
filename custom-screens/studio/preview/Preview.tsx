/** The list and the form of the last valid draft. */
export function Preview() {
  return (
    <header className="studio-head">
      <h2>Live preview</h2>
    </header>
  );
}
