/** The context that the bundler gives a plugin: `error` ends the build. */
interface BuildContext {
  error(message: string): never;
}

interface LeanGrid {
  name: string;
  apply: 'build';
  enforce: 'pre';
  resolveId(source: string, importer: string | undefined): string | null;
  load(id: string): string | null;
  transform(this: BuildContext, code: string, id: string): string | null;
  generateBundle(this: BuildContext): void;
}

/** The plugin that removes unused parts of the data grid. */
export function leanGrid(): LeanGrid;
