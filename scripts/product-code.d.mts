/** The exports of a product's code for the server, built by itself; undefined if it has none. */
export function loadCode(root: string, folder: string): Promise<Readonly<Record<string, unknown>> | undefined>;
