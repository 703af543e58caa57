import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sources } from './sources';

const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Record<string, Record<string, string>>;

/** Packages that the program does not import itself, each with a reason. */
const indirect: Readonly<Record<string, string>> = {
  '@aws-sdk/client-s3': 'of the storage driver for buckets',
  '@aws-sdk/s3-request-presigner': 'of the storage driver for buckets',
  '@emotion/styled': 'of MUI',
  '@fastify/swagger-ui': 'files for the page that shows the API',
  '@mui/icons-material': 'of react-admin',
  '@rjsf/utils': 'of the forms',
  '@tiptap/pm': 'of the text editor',
};

/** The files that import each package; scripts count, too. */
const importers = new Map<string, Set<string>>();
for (const { path, imports } of sources) for (const name of imports) addImporter(name, path);
for (const folder of ['scripts', 'src']) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!/\.(mjs|tsx?|css)$/.test(entry.name)) continue;
    const path = `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/');
    const text = readFileSync(path, 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import|@import) ?\(?['"]([@\w][^'"]*)['"]/g))
      addImporter(name!, path);
  }
}

function addImporter(name: string, path: string): void {
  const packageName = packageOf(name);
  importers.set(packageName, (importers.get(packageName) ?? new Set()).add(path));
}

test('package.json has exact versions', () => {
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const loose = versions.filter(
    ([name, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !name.startsWith('@types/'),
  );
  expect(loose).toEqual([]);
});

test('every package of the program is imported by it', () => {
  const unused = Object.keys(dependencies!).filter((name) => !importers.has(name) && !Object.hasOwn(indirect, name));
  expect(unused).toEqual([]);
});

test('the page of dependencies says of every package of the program what it does and where it is imported', () => {
  const rows = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| (`.*?) +\| (.*?) +\| (`.*?) +\|$/gm)];
  const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  const faults = rows.flatMap(([, packageCell, , pathCell]) => {
    const packages = codeIn(packageCell!.replaceAll(/\(.*?\)/g, ''));
    return codeIn(pathCell!).flatMap((path) =>
      packages.some((name) => isImportedIn(name, path))
        ? []
        : [`${packages.join(', ')}: nothing in ${path} imports it`],
    );
  });
  expect(faults).toEqual([]);
  const describedPackages = rows.flatMap(([, packageCell]) => codeIn(packageCell!.replaceAll(/\(.*?\)/g, '')));
  expect(describedPackages.sort()).toEqual(Object.keys(dependencies!).sort());
});

function isImportedIn(name: string, path: string): boolean {
  if (Object.hasOwn(indirect, name) && !importers.has(name)) return existsSync(path);
  return [...(importers.get(name) ?? [])].some((importer) => importer === path || importer.startsWith(`${path}/`));
}

test('the program imports nothing that production does not install', () => {
  const missing = [...new Set(sources.flatMap(({ imports }) => imports.map(packageOf)))].filter(
    (name) => Object.hasOwn(devDependencies!, name) && !Object.hasOwn(dependencies!, name),
  );
  expect(missing).toEqual([]);
});

/** The package of an import: `@mui/material` of `@mui/material/Button`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}
