import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Who may import whom: engine ← server, engine ← app ← custom-screens. tests/architecture checks the same on resolved
// paths; here the editor says it while one types.
const browser = '^(react|react-dom|react-router|react-router-dom|react-admin|ra-|@mui/|@emotion/|@rjsf/)';
const wall = (files, regex, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
});

export default defineConfig(
  globalIgnores(['dist', 'data', 'coverage', 'test-results', 'playwright-report']),
  tseslint.configs.recommended,
  {
    rules: {
      // How a library's types are widened.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // A leading underscore says that a value is left out on purpose.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'custom-screens/**/*.ts', 'custom-screens/**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true } },
    // A promise that nobody waits for fails unheard, and takes a process of Node with it.
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
  {
    ...reactHooks.configs.flat.recommended,
    files: ['src/app/**', 'src/main.tsx', 'custom-screens/**'],
    // Advice about speed, which does not hold where an effect follows the address or a library's state.
    rules: { ...reactHooks.configs.flat.recommended.rules, 'react-hooks/set-state-in-effect': 'off' },
  },
  wall(
    ['src/engine/**'],
    `((^|/)(server|app|custom-screens)/)|^(node:|fastify|kysely|pg$)|${browser}`,
    'The engine is pure: it imports neither server nor app, and nothing of Node or the DOM.',
  ),
  wall(
    ['src/server/**'],
    `((^|/)(app|custom-screens)/)|${browser}`,
    'The server imports the engine, never the application.',
  ),
  wall(
    ['src/app/**'],
    '((^|/)(server|custom-screens)/)|^(node:|fastify|kysely|pg$)',
    'The application imports the engine, never the server; custom screens are given to it.',
  ),
  wall(['custom-screens/**'], '((^|/)server/)|^(node:|fastify|kysely|pg$)', 'Custom screens never import the server.'),
);
