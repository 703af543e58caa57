/** A node of the parsed text. */
export interface Node {
  readonly type: number;
  target?: string | null;
}

/** A page of `docs/`. */
export interface Page {
  /** From `docs/`: `guide/tutorial.md`. */
  readonly path: string;
  readonly source: string;
  readonly nodes: readonly Node[];
  readonly title: string;
  readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  readonly links: readonly Node[];
  /** `/docs/guide/tutorial`. */
  readonly address: string;
}

/** A group of the navigation. */
export interface Group {
  readonly title: string;
  readonly entries: readonly {
    readonly path: string;
    readonly address: string;
    readonly title: string;
    readonly description: string;
  }[];
}

export function readPages(folder: string, names?: readonly string[]): Page[];
export function addressOf(path: string): string;
export function resolveLink(
  path: string,
  target: string,
): { readonly file: string; readonly anchor: string | undefined } | undefined;
export function readNavigation(pages: readonly Page[], path?: string): Group[];
