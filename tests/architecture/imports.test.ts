import { builtinModules } from 'node:module';
import { expect, test } from 'vitest';
import { circles } from './circles';
import { parse, type Source, sources } from './sources';

const BROWSER = /^(react|react-dom|react-router|react-router-dom|react-admin|ra-.*|@mui\/.*|@emotion\/.*|@rjsf\/.*)$/;
const SERVER = /^(fastify|@fastify\/.*|kysely|pg|pino|@node-rs\/.*|nodemailer)$/;

const ROOTS = ['src/main.tsx', 'src/main-server.ts'];
const PARTS: Record<string, { folders: string[]; packages: (name: string) => boolean }> = {
  'src/engine/': {
    folders: ['src/engine/'],
    packages: (name) => !isNode(name) && !isOf(BROWSER, name) && !isOf(SERVER, name),
  },
  'src/server/': { folders: ['src/engine/', 'src/server/'], packages: (name) => !isOf(BROWSER, name) },
  // What the product's server answers, for its screens too: types and names alone.
  'src/product/answers/': { folders: ['src/engine/', 'src/product/answers/'], packages: () => false },
  'src/product/': {
    folders: ['src/engine/', 'src/server/', 'src/product/'],
    packages: (name) => !isOf(BROWSER, name),
  },
  'src/app/': { folders: ['src/engine/', 'src/app/'], packages: (name) => !isNode(name) && !isOf(SERVER, name) },
  'custom-screens/': {
    folders: ['src/engine/', 'src/app/', 'src/product/answers/', 'custom-screens/'],
    packages: (name) => !isNode(name) && !isOf(SERVER, name),
  },
};

test('the check of imports has sources', () => {
  expect(sources.length).toBeGreaterThan(100);
});

test('every import points to an allowed part of the program', () => {
  expect(sources.flatMap(breaches)).toEqual([]);
});

test('every source belongs to a part or is a composition root', () => {
  expect(sources.filter((source) => !partOf(source) && !ROOTS.includes(source.path)).map(({ path }) => path)).toEqual(
    [],
  );
});

test('no files import each other in a circle, types included', () => {
  expect(circles(new Map(sources.map(({ path, imports }) => [path, imports])))).toEqual([]);
});

test.each([
  ['src/engine/lists/a.ts', "import { b } from '../../server/b';"],
  ['src/engine/lists/a.ts', "import { readFileSync } from 'fs';"],
  ['src/engine/lists/a.ts', "export * from 'react';"],
  ['src/server/http/a.ts', "import type { B } from '../../app/b';"],
  ['src/server/http/a.ts', "import { b } from '../../product/b';"],
  ['src/engine/lists/a.ts', "import { b } from '../../product/b';"],
  ['src/server/http/a.ts', "const b = await import('@mui/material/Button');"],
  ['src/app/list/a.tsx', "import b from '../../../custom-screens/b';"],
  ['src/app/list/a.tsx', "type B = import('../../server/b').B;"],
  ['src/app/list/a.tsx', "import 'node:path';"],
  ['custom-screens/kanban/a.tsx', "import { b } from '../../src/server/b';"],
  ['custom-screens/kanban/a.tsx', "import { b } from '../../src/product/b';"],
  ['src/product/answers/a.ts', "import { b } from '../b';"],
])('an import across the parts of the program is reported: %s with %s', (path, text) => {
  expect(breaches(parse(path, text))).toHaveLength(1);
});

test('a circle of imports is reported', () => {
  const imports = { a: ['b'], b: ['c', 'd'], c: ['e'], d: ['a'], e: [] };
  expect(circles(new Map(Object.entries(imports)))).toEqual([['a', 'b', 'd', 'a']]);
});

function breaches(source: Source): string[] {
  const part = partOf(source);
  if (!part) return [];
  const allowed = (imported: string) =>
    /^(src|custom-screens)\//.test(imported)
      ? part.folders.some((folder) => imported.startsWith(folder))
      : part.packages(imported);
  return source.imports.filter((imported) => !allowed(imported)).map((imported) => `${source.path} → ${imported}`);
}

function partOf({ path }: Source) {
  return Object.entries(PARTS).find(([folder]) => path.startsWith(folder))?.[1];
}

function isNode(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

/** Whether a package, or a path within it, is one of those. */
function isOf(packages: RegExp, name: string): boolean {
  const [scope = '', rest] = name.split('/');
  return packages.test(scope.startsWith('@') ? `${scope}/${rest}` : scope);
}
