/** Builds the site of a folder of Markdown. */
export function buildDocumentation(options: {
  readonly source: string;
  readonly output: string;
  readonly version: string;
}): void;
