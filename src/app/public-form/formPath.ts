/** The key in the path of a public form; undefined for any other path. */
export function parseFormPath(path: string): string | undefined {
  return /^\/form\/([\w-]{20,100})$/.exec(path)?.[1];
}
