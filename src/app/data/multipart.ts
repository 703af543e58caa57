/** Values with a file as form data; undefined without a file. */
export function toFormData(values: Readonly<Record<string, unknown>>): FormData | undefined {
  if (!Object.values(values).some((value) => value instanceof Blob)) return undefined;
  const form = new FormData();
  // Text parts come before files, so that the server can read them first.
  const entries = Object.entries(values).sort(([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob));
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    if (value instanceof File) form.append(name, value, value.name);
    else form.append(name, toFormText(value));
  }
  return form;
}

function toFormText(value: unknown): string {
  if (value === null) return '';
  // Ids as in a filter; rows, and files that are kept, as JSON.
  if (Array.isArray(value) && !value.some(isObject)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
