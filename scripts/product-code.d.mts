/** What the code of a product exports for the server, built by itself; undefined if it has none. */
export function loadCode(root: string, folder: string): Promise<Readonly<Record<string, unknown>> | undefined>;
