const focusable = 'input:not([type=hidden]), textarea, [contenteditable], button, [tabindex="0"]';

/** Scrolls to a field and focuses it. */
export function focusField(page: Document, idPrefix: string, name: string): void {
  const id = `${idPrefix}_${name}`;
  const control = page.getElementById(id) ?? page.getElementById(`${id}-label`);
  const field = control?.closest('[data-field]');
  const target = control?.matches(focusable) ? control : field?.querySelector<HTMLElement>(focusable);
  field?.scrollIntoView?.({ block: 'center' });
  target?.focus({ preventScroll: true });
}
