import react from '@vitejs/plugin-react';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { serverFingerprint } from './scripts/build-stale.mjs';
import { compileSchemas } from './scripts/compile-schemas.mjs';
import { codeSplitting, namedParts } from './scripts/chunks.mjs';
import { leanGrid } from './scripts/lean-grid.mjs';
import { keptSheets, styleModules } from './scripts/style-modules.mjs';
import { defineSystemModules } from './scripts/system-modules.mjs';

/**
 * The packages that the built server loads from node_modules: with native code or files of their own, or rarely used.
 * The rare ones are imported where they are used, so that a start does not load them.
 */
const serverPackages = [
  '@aws-sdk/client-s3',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  '@simplewebauthn/server',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'diff',
  'flydrive',
  'htmlparser2',
  'nodemailer',
  'openid-client',
  'otplib',
  'pg-native',
  'pino',
  'prom-client',
  'qrcode',
  'sanitize-html',
  'saxes',
  'tar-stream',
  'xlsx',
  'yauzl',
];

const routerBuild = (entry: string) => resolve(`node_modules/react-router/dist/production/${entry}.mjs`);

// Two builds from one file: the browser application, and with `--ssr` the server: its program, and those of its threads.
export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        publicDir: false,
        plugins: [compileSchemas()],
        // A server has to know whether another one on its database runs the same version of the program.
        define: { 'globalThis.assayBuild': JSON.stringify(serverFingerprint()) },
        // Finding and opening hundreds of small files takes longer than anything else at the start.
        ssr: { noExternal: true, external: serverPackages },
        build: {
          outDir: 'dist/server',
          emitAssets: true,
          target: 'node20',
          sourcemap: true,
          reportCompressedSize: false,
          rolldownOptions: {
            // The sources themselves would make the maps three times as big, which Node reads at the start.
            output: { sourcemapExcludeSources: true, minify: { mangle: false, compress: false, codegen: true } },
            input: {
              'main-server': 'src/main-server.ts',
              backup: 'src/server/backup/main.ts',
              'sheet-worker': 'src/server/exports/sheet/worker.ts',
              'import-worker': 'src/server/imports/reading/worker.ts',
              'test-case-files-worker': 'src/product/imports/worker.ts',
              'results-worker': 'src/product/test-results/reading/worker.ts',
            },
          },
        },
      }
    : {
        plugins: [react(), leanGrid(), keptSheets(), namedParts()],
        css: { modules: styleModules },
        define: defineSystemModules(),
        resolve: {
          alias: [
            { find: 'markdown-to-jsx/react', replacement: resolve('src/app/form/plainMarkdown.ts') },
            // The package names its development build for every use; that for production saves 0.6 kB of the first list.
            { find: /^react-router$/, replacement: routerBuild('index') },
            { find: /^react-router\/dom$/, replacement: routerBuild('dom-export') },
          ],
        },
        build: {
          outDir: 'dist/app',
          assetsDir: 'static',
          target: 'es2022',
          manifest: true,
          // In kB: the libraries of lists are one file on purpose.
          chunkSizeWarningLimit: 1100,
          reportCompressedSize: false,
          rolldownOptions: {
            optimization: { inlineConst: { mode: 'all' } },
            output: {
              codeSplitting: codeSplitting(),
              // Shared chunks are named after all that use them, and each file lists those that it may load.
              chunkFileNames: ({ name }) => `static/${name.split('~')[0]}-[hash].js`,
              assetFileNames: ({ names: [name = ''] }) => `static/${name.replace(/(~.*)?\.\w+$/, '')}-[hash][extname]`,
            },
          },
        },
      },
);
