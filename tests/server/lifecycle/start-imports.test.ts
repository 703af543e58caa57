import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { expect, test } from 'vitest';

/** The packages that a built program imports from node_modules before its first line runs. */
function packagesAtStart(program: URL): string[] {
  const files = new Map<string, readonly string[]>();
  const visit = (file: URL): void => {
    if (files.has(file.href)) return;
    const text = readFileSync(file, 'utf8');
    const names = [...text.matchAll(/(?:^|[;}])\s*import\s*(?:[\w*{][^"'`();]*from\s*)?["']([^"']+)["']/gm)].map(
      ([, name]) => name!,
    );
    files.set(file.href, names);
    for (const name of names) if (name.startsWith('.')) visit(new URL(name, file));
  };
  visit(program);
  return [...new Set([...files.values()].flat())].filter((name) => !name.startsWith('.') && !isBuiltin(name)).sort();
}

test('a start loads no package that few requests need', () => {
  expect(packagesAtStart(new URL('main-server.js', process.env.ASSAY_THREADS))).toEqual(['pino']);
});
