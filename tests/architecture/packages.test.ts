import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sources } from './sources';

const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Record<string, Record<string, string>>;

/** Not imported here, each for a reason. */
const indirect: Readonly<Record<string, string>> = {
  '@aws-sdk/client-s3': 'of the storage driver for buckets',
  '@aws-sdk/s3-request-presigner': 'of the storage driver for buckets',
  '@emotion/styled': 'of MUI',
  '@fastify/swagger-ui': 'files for the page that shows the API',
  '@mui/icons-material': 'of react-admin',
  '@rjsf/utils': 'of the forms',
  '@tiptap/pm': 'of the text editor',
  'react-router-dom': 'of react-admin',
};

const imported = new Set(sources.flatMap(({ imports }) => imports.map(packageOf)));
for (const folder of ['scripts', 'src']) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!/\.(mjs|tsx?|css)$/.test(entry.name)) continue;
    const text = readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import|@import) ?\(?['"]([@\w][^'"]*)['"]/g))
      imported.add(packageOf(name!));
  }
}

test('versions are exact', () => {
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const loose = versions.filter(
    ([name, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !name.startsWith('@types/'),
  );
  expect(loose).toEqual([]);
});

test('every package of the program is imported by it', () => {
  const unused = Object.keys(dependencies!).filter((name) => !imported.has(name) && !Object.hasOwn(indirect, name));
  expect(unused).toEqual([]);
});

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
