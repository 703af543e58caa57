import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';

// The rules of scripts/lint/plain-words.mjs, as oxlint runs them.

const configuration = parse(await readFile('.oxlintrc.json', 'utf8')) as {
  settings: { words: Record<string, string> };
};

test('the list of weak words has no word twice', () => {
  const words = Object.values(configuration.settings.words)
    .flatMap((list) => list.split(' '))
    .map((word) => word.replace('_', ''));
  expect(words).toHaveLength(new Set(words).size);
});

/** Lints files of a folder of their own, and returns `rule: line of the file` for each problem. */
async function lint(files: Record<string, string>): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'words-'));
  try {
    const names = ['locals', 'properties', 'files', 'comments'];
    const settings = {
      jsPlugins: [resolve('scripts/lint/plain-words.mjs')],
      categories: { correctness: 'off' },
      settings: { words: { participles: 'asked found unknown_', adverbs: 'here within', pronouns: 'most others' } },
      rules: {
        ...Object.fromEntries(names.map((name) => [`plain-words/${name}`, 'error'])),
        'plain-words/properties': ['error', { allow: ['most'] }],
      },
    };
    for (const [name, text] of Object.entries({ ...files, '.oxlintrc.json': JSON.stringify(settings) })) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const output = await new Promise<string>((complete, fail) => {
      const args = [resolve('node_modules/oxlint/bin/oxlint'), '--format', 'json'];
      // It ends with 1 where it has found something.
      execFile(process.execPath, args, { cwd: folder }, (error, stdout) => (stdout ? complete(stdout) : fail(error!)));
    });
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[];
    };
    const problems = Object.keys(files).map((file) => {
      const ofFile = diagnostics.filter(({ filename }) => filename === file);
      return [file, ofFile.map(({ code, labels }) => `${code} ${labels[0]!.span.line}`).sort()] as const;
    });
    return Object.fromEntries(problems);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isReported = (rule: string, ...lines: number[]) => lines.map((line) => `plain-words(${rule}) ${line}`);

test('weak names and comments without a statement are reported', async () => {
  const problems = await lint({
    'locals.ts': [
      'const found = 1;',
      'export const { asked, rows: [within], ...others } = find();',
      'export function here(most = 1) {}',
      'try { open(); } catch (found) {}',
      'class Range { constructor(private within: number) {} }',
      'for (const found of rows) visit((asked) => asked);',
    ].join('\n'),
    'properties.ts': 'interface Range { found: string; asked?: string; within(): boolean }\nclass Row { here = 1 }',
    'src/found.test.ts': 'find();',
    'comments.ts': [
      '// What was sent.',
      '/** Whoever may read it. */',
      'export const reader = 1; // Nobody reads it.',
      '/**',
      ' * Somebody who writes.',
      ' */',
      '/** Rows that are selected. What they hold is shown. */',
      '// It holds rows.',
      '// Whatever they hold is shown.',
    ].join('\n'),
  });
  expect(problems).toEqual({
    'locals.ts': isReported('locals', 1, 2, 2, 2, 3, 3, 4, 5, 6, 6),
    'properties.ts': isReported('properties', 1, 1, 1, 2),
    'src/found.test.ts': isReported('files', 1),
    'comments.ts': isReported('comments', 1, 2, 3, 4, 7, 8),
  });
});

test('nouns and verb phrases, allowed and quoted keys, names in types of functions and sentences are not reported', async () => {
  const problems = await lint({
    'locals.ts':
      'const foundRows = 1;\nconst { found: rows } = find();\ntype Visit = (found: string) => void;\nlet unknown;',
    'properties.ts':
      "interface Filter { 'found': string; [within]: string; most: string; findRows(): void }\nconst range = { found: 1 };",
    'src/find-rows.test.ts': 'find();',
    'comments.ts':
      '// The rows that are selected.\n\n// It holds what was sent, under the title\n// What follows, which is a second line.',
  });
  expect(Object.values(problems).flat()).toEqual([]);
});
