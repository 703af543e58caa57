const addresses = new Map<string, string>();

/** Keeps a list's whole address (with page and search) for as long as the page is open, to come back to. */
export function keepListAddress(resource: string, search: string): void {
  addresses.set(resource, search);
}

/** Where the list of a resource is, as it was last left. */
export function listPath(resource: string): string {
  return `/${resource}${addresses.get(resource) ?? ''}`;
}
