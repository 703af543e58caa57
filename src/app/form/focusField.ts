const focusable = 'input:not([type=hidden]), textarea, [contenteditable], button, [tabindex="0"]';

/** Scrolls to a field and focuses it, as soon as its input is loaded. */
export function focusField(page: Document, idPrefix: string, name: string): void {
  const id = `${idPrefix}_${name}`;
  const control = page.getElementById(id) ?? page.getElementById(`${id}-label`);
  const field = control?.closest('[data-field]');
  const target = control?.matches(focusable) ? control : field?.querySelector<HTMLElement>(focusable);
  field?.scrollIntoView?.({ block: 'center' });
  if (target) return target.focus({ preventScroll: true });
  if (!field) return;
  // Its input is still loaded: it gets the focus then, unless the user went on in the meantime.
  const initialFocus = page.activeElement;
  const loading = new MutationObserver(() => {
    const input = page.getElementById(id);
    if (!input && field.isConnected && page.activeElement === initialFocus) return;
    loading.disconnect();
    if (page.activeElement === initialFocus) input?.focus({ preventScroll: true });
  });
  loading.observe(field, { childList: true, subtree: true });
}
