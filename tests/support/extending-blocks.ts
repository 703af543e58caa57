import { readFileSync } from 'node:fs';

/** A file that docs/extending.md shows. */
interface ShownFile {
  readonly file: string;
  readonly code: string;
}

/** The blocks of code of docs/extending.md by the file that the first line of each names. */
export function shownCode(): readonly ShownFile[] {
  const page = readFileSync('docs/extending.md', 'utf8');
  return [...page.matchAll(/^( *)```tsx?\n([^]*?)\n\1```$/gm)].map(([, indent, block]) => {
    const code = block!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const file = /^\/\/ ((?:src\/product|custom-screens|shop)\/\S+\.tsx?)\n/.exec(code)?.[1];
    if (file === undefined) throw new Error(`This block names no file in its first line:\n${code}`);
    return { file, code };
  });
}

/** The files of the product outside the repository that docs/extending.md shows, by their places in its folder. */
export function shownShop(): readonly ShownFile[] {
  const page = readFileSync('docs/extending.md', 'utf8');
  const json = page.matchAll(/\*\*`(shop\/\S+\.json)`\*\*:\n\n```json\n([^]*?)\n```/g);
  // The program is beside the shop there.
  const atProgram = (code: string) => code.replaceAll('"../assay/', () => `"${process.cwd()}/`);
  const files = [...shownCode(), ...[...json].map(([, file, code]) => ({ file: file!, code: atProgram(code!) }))];
  return files.filter(({ file }) => file.startsWith('shop/'));
}
