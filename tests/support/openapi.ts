/** A document or a part of it, in which each `$ref` is replaced by what it names. */
export function resolveReferences<T>(document: { readonly components: object }, part: unknown): T {
  if (Array.isArray(part)) return part.map((one) => resolveReferences(document, one)) as T;
  if (typeof part !== 'object' || part === null) return part as T;
  if ('$ref' in part) {
    const steps = String(part.$ref).split('/').slice(1);
    const named = steps.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], document);
    return resolveReferences(document, named);
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, resolveReferences(document, value)]),
  ) as T;
}
