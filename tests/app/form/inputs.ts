/** What stands in an input. */
export function valueIn(input: HTMLElement): string {
  return (input as HTMLInputElement).value;
}

/** What a screen reader adds to an input's name: its help, its error, the place it belongs to. */
export function describedBy(input: HTMLElement): string {
  const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')
    .trim();
}
