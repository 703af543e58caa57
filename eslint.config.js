import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Which folder may import which: engine ← server, engine ← app ← custom-screens. tests/architecture checks the same on
// resolved paths; these rules show it in the editor.
const browser = '^(react|react-dom|react-router|react-router-dom|react-admin|ra-|@mui/|@emotion/|@rjsf/)';
const restrictImports = (files, regex, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
});

export default defineConfig(
  globalIgnores(['dist', 'data', 'coverage', './test-results', './playwright-report']),
  tseslint.configs.recommended,
  {
    rules: {
      // Types of libraries are extended by interfaces without members.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // A leading underscore marks a value that is unused on purpose.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: [
      'src/**/*.ts',
      'src/**/*.tsx',
      'custom-screens/**/*.ts',
      'custom-screens/**/*.tsx',
      'tests/**/*.ts',
      'tests/**/*.tsx',
      'scripts/**/*.ts',
      'bench/**/*.ts',
    ],
    languageOptions: { parserOptions: { projectService: true } },
    // The rejection of a promise that nothing awaits is lost, and ends a Node process.
    rules: { '@typescript-eslint/no-floating-promises': 'error', '@typescript-eslint/no-misused-promises': 'error' },
  },
  {
    ...reactHooks.configs.flat.recommended,
    files: ['src/app/**', 'src/main.tsx', 'custom-screens/**'],
    // This rule is about speed, and does not fit effects that follow the address or the state of a library.
    rules: { ...reactHooks.configs.flat.recommended.rules, 'react-hooks/set-state-in-effect': 'off' },
  },
  restrictImports(
    ['src/engine/**'],
    `((^|/)(server|app|custom-screens)/)|^(node:|fastify|kysely|pg$)|${browser}`,
    'The engine is pure: it imports neither server nor app, and nothing of Node or the DOM.',
  ),
  restrictImports(
    ['src/server/**'],
    `((^|/)(app|custom-screens)/)|${browser}`,
    'The server imports the engine, never the application.',
  ),
  restrictImports(
    ['src/app/**'],
    '((^|/)(server|custom-screens)/)|^(node:|fastify|kysely|pg$)',
    'The application imports the engine, never the server; custom screens are passed to it.',
  ),
  restrictImports(
    ['custom-screens/**'],
    '((^|/)server/)|^(node:|fastify|kysely|pg$)',
    'Custom screens never import the server.',
  ),
);
