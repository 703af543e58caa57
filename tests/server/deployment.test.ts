import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The files with which the program is run elsewhere: what they name has to exist here.
const read = (path: string) => readFileSync(path, 'utf8');
const settings = new Set(
  [...read('README.md').matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+)/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  ),
);

test('the README lists the settings', () => {
  expect([...settings]).toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'TRUST_PROXY']));
});

test.each([
  ['Dockerfile', /^ENV (.*)$/gm, /(\w+)=/g],
  ['compose.yaml', /^ {2}assay:\n([\s\S]*?)\n {4}volumes:/gm, /^ {6}([A-Z_]+):/gm],
  ['deploy/assay.service', /^Environment=(.*)$/gm, /(\w+)=/g],
])('%s sets only settings of the program', (path, block, name) => {
  const set = [...read(path).matchAll(block)].flatMap(([, text]) => [...text!.matchAll(name)].map(([, one]) => one!));
  expect(set.length).toBeGreaterThan(0);
  expect(set.filter((one) => !settings.has(one) && one !== 'NODE_ENV')).toEqual([]);
});

test('the image contains everything that production needs', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path]) => path!);
  const built = ['node_modules', 'dist'];
  expect(copied.filter((path) => !built.includes(path) && !existsSync(path))).toEqual([]);
  expect(copied).toEqual(
    expect.arrayContaining([...built, 'system', 'resources', 'schemas', 'scripts', 'package.json']),
  );
});
