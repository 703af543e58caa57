/** The value of an input. */
export function valueIn(input: HTMLElement): string {
  return (input as HTMLInputElement).value;
}

/** The accessible description of an input: help, error, note. */
export function describedBy(input: HTMLElement): string {
  const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')
    .trim();
}
