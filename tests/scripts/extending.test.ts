// @module-tag slow
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { shownCode, shownShop } from '../support/extending-blocks';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test('the code in docs/extending.md compiles as written, beside the program', () => {
  mkdirSync('dist', { recursive: true });
  // Within the project, so that packages are found; other files are those of the program.
  const overlay = mkdtempSync('dist/extending-');
  folders.push(overlay);
  const blocks = shownCode();
  expect(blocks.length).toBeGreaterThan(5);
  for (const { file, code } of blocks) {
    mkdirSync(dirname(join(overlay, file)), { recursive: true });
    writeFileSync(join(overlay, file), code);
  }
  writeFileSync(
    join(overlay, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: {
        rootDirs: ['.', '../..'],
        paths: { 'assay/*': ['../../src/*'] },
        incremental: false,
        tsBuildInfoFile: null,
      },
      include: ['src', 'custom-screens', 'shop', '../../src/**/*.d.ts'],
    }),
  );
  const { stdout } = spawnSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', overlay], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

test('the product in docs/extending.md passes resources:check and the compiler, and imports the program and its packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'product-'));
  folders.push(folder);
  for (const { file, code } of shownShop()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const check = () => {
    const command = ['node_modules/tsx/dist/cli.mjs', 'scripts/resources-check.ts', '--product', join(folder, 'shop')];
    return spawnSync(process.execPath, command, { encoding: 'utf8' });
  };
  const { status, stdout, stderr } = check();
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringMatching(/ 0 faults/) });
  // Its tsconfig.json finds the types of the program, and of packages.
  const compiler = ['node_modules/typescript-7/bin/tsc', '-p', join(folder, 'shop')];
  expect(spawnSync(process.execPath, compiler, { encoding: 'utf8' }).stdout).toBe('');
  const definition = join(folder, 'shop/resources/reviews.json');
  writeFileSync(definition, readFileSync(definition, 'utf8').replace('countReviews', 'countReview'));
  expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('Did you mean "countReviews"?') });
});

test('resources:check knows the hooks and the field types of the product in a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'product-'));
  folders.push(folder);
  mkdirSync(join(folder, 'resources'));
  const definition = {
    name: 'reviews',
    labels: { one: 'Review', many: 'Reviews' },
    fields: { name: { type: 'text' }, stars: { type: 'rating', stars: 7 } },
    hooks: { beforeSave: ['praise'] },
  };
  writeFileSync(join(folder, 'resources/reviews.json'), JSON.stringify(definition, null, 2));
  const check = () =>
    spawnSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/resources-check.ts', '--product', folder], {
      encoding: 'utf8',
    });
  expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('rating') });
  writeFileSync(
    join(folder, 'index.ts'),
    `import { fieldTypes } from ${JSON.stringify(resolve('src/engine/field-types'))};
import { typeKeys } from ${JSON.stringify(resolve('src/engine/language/field-types/type-keys'))};
import { integer } from ${JSON.stringify(resolve('src/engine/language/key'))};
const language = typeKeys({ keys: { stars: integer({ minimum: 1, help: 'rating: how many stars there are.' }) } });
export const product = {
  hooks: { praise: async () => undefined },
  fieldTypes: { rating: { type: fieldTypes.number, language } },
};
`,
  );
  const { status, stdout, stderr } = check();
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringMatching(/ 0 faults/) });
});
