import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { greatestFormSize } from '../../src/engine/field-types/files';
import { maxResultBytes } from '../../src/product/test-results/upload-limits';
import { maxBodySize } from '../../src/server/limits/size-limits';

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

/** A size as proxies write it, in bytes: nginx counts in 1,024, Caddy in 1,000. */
function bytesOf(text: string): number {
  const [, number, unit = ''] = /^(\d+)(m|MB)?$/.exec(text)!;
  return Number(number) * ({ '': 1, m: 1024 * 1024, MB: 1_000_000 }[unit] ?? NaN);
}

// Parts of a form have headers, and what is between them.
const frames = 64 * 1024;
const wanted = {
  record: greatestFormSize + maxBodySize + frames,
  results: maxResultBytes + maxBodySize + frames,
};

test.each<[string, RegExp, RegExp]>([
  [
    'deploy/nginx.conf',
    /server_name[^}]*?client_max_body_size (\w+);/,
    /location = \/api\/results \{[^}]*client_max_body_size (\w+);/,
  ],
  ['deploy/Caddyfile', /request_body @others \{\s*max_size (\w+)/, /request_body @results \{\s*max_size (\w+)/],
  [
    'deploy/haproxy.cfg',
    /if !\{ path \/api\/results \} \{ req\.body_size gt (\d+) \}/,
    /if \{ path \/api\/results \} \{ req\.body_size gt (\d+) \}/,
  ],
])('%s lets everything pass that the program takes, and not much more', (path, ofRecords, ofResults) => {
  const limit = (pattern: RegExp) => bytesOf(pattern.exec(read(path))?.[1] ?? 'missing');
  for (const [most, allowed] of [
    [wanted.record, limit(ofRecords)],
    [wanted.results, limit(ofResults)],
  ] as const) {
    expect(allowed).toBeGreaterThanOrEqual(most);
    expect(allowed).toBeLessThan(most * 1.1);
  }
});

test('every size of a body in deploy/ is compared', () => {
  const sizes = ['nginx.conf', 'Caddyfile', 'haproxy.cfg'].map(
    (name) => read(`deploy/${name}`).match(/client_max_body_size|max_size|body_size gt/g)?.length,
  );
  expect(sizes).toEqual([2, 2, 2]);
});
