// What the builds are made of, which of them no longer match their sources, and how to make them.
// Imports nothing but Node at its top: in production the build tools are not installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { codeFile, codeFiles, productCode } from './product-code.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The built server, which `npm start` runs: of a product with code, the one that contains it. */
export function serverProgram(folder) {
  return join(root, partsFor(folder).find(({ name, kind = name }) => kind === 'server').output);
}

const shared = ['src/engine', 'custom-screens', 'schemas', 'vite.config.ts', 'package.json', 'package-lock.json'];

// The definitions in system/ and resources/ are read while the program runs; the application knows the names in system/.
const parts = [
  {
    name: 'application',
    inputs: [
      ...shared,
      'scripts/chunks.mjs',
      'scripts/lean-grid.mjs',
      'scripts/style-modules.mjs',
      'scripts/system-modules.mjs',
      'src/app',
      'src/main.tsx',
      'index.html',
      'public',
      'system',
    ],
    output: 'dist/app/index.html',
    stamp: 'dist/app.stamp',
    options: {},
  },
  {
    name: 'server',
    inputs: [
      ...shared,
      'scripts/compile-schemas.mjs',
      'src/server',
      'src/product',

      'src/main-server.ts',
    ],
    output: 'dist/server/main-server.js',
    stamp: 'dist/server.stamp',
    options: { build: { ssr: true, outDir: 'dist/server' } },
  },
  {
    name: 'documentation',
    inputs: ['docs', 'scripts/documentation', 'package.json', 'package-lock.json'],
    output: 'dist/docs/index.html',
    stamp: 'dist/docs.stamp',
  },
];

/**
 * The builds for the product in a folder, or for the one of this repository: a half for which the product has code is built with
 * it, in a folder of its own.
 */
function partsFor(folder) {
  if (folder === undefined) return parts;
  const name = `${basename(folder)}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  return parts.map((part) => {
    const half = { server: 'server', application: 'browser' }[part.name];
    if (half === undefined || codeFile(folder, half) === undefined) return part;
    const stem = half === 'server' ? 'server' : 'app';
    const rename = (path) => path.replace(`dist/${stem}`, `dist/${stem}-${name}`);
    const { build: options, ...rest } = part.options;
    return {
      ...part,
      name: `${part.name} with ${basename(folder)}`,
      kind: part.name,
      folder,
      output: rename(part.output),
      stamp: rename(part.stamp),
      options: {
        ...rest,
        build: { ...options, outDir: dirname(rename(part.output)) },
        plugins: [productCode(root, folder, half)],
      },
    };
  });
}

/** True when every build is there, up to date or not. */
export function hasBuild(folder) {
  return partsFor(folder).every(({ output }) => existsSync(join(root, output)));
}

/** The builds that are missing or older than their sources. */
export function staleParts(folder) {
  return partsFor(folder).filter((part) => {
    const { output, stamp } = part;
    const made = join(root, stamp);
    if (!existsSync(join(root, output)) || !existsSync(made)) return true;
    return readFileSync(made, 'utf8') !== printOf(part);
  });
}

/** Tells one build of the server from another, by its sources. */
export function serverFingerprint() {
  return fingerprint(parts.find(({ name }) => name === 'server').inputs);
}

/** Makes the builds for the product in a folder, or the given ones of them. Needs the development dependencies. */
export async function build(folder, chosen = partsFor(folder)) {
  for (const part of chosen) {
    const { name, kind = name, stamp, options } = part;
    const since = performance.now();
    // Taken before the build, so that a file saved during it makes it outdated again.
    const print = printOf(part);
    rmSync(join(root, stamp), { force: true });
    if (kind === 'documentation') {
      await buildDocumentationSite();
    } else {
      process.env.NODE_ENV = 'production';
      const vite = await import('vite');
      // A server has to know whether another one on its database has the same code.
      const define = kind === 'server' ? { 'globalThis.assayBuild': JSON.stringify(print) } : {};
      await vite.build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', define, ...options });
    }
    if (kind === 'application') await compressFiles(join(root, dirname(part.output)));
    mkdirSync(dirname(join(root, stamp)), { recursive: true });
    writeFileSync(join(root, stamp), print);
    console.log(`Built the ${name} in ${((performance.now() - since) / 1000).toFixed(1)} s`);
  }
}

async function buildDocumentationSite() {
  const { buildDocumentation } = await import('./documentation/build.mjs');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  buildDocumentation({ source: join(root, 'docs'), output: join(root, 'dist/docs'), version });
  await compressFiles(join(root, 'dist/docs'));
}

/** Adds a gzip and a Brotli version of each text file, so that nothing is compressed while a user waits. */
async function compressFiles(folder) {
  const files = filesBelow(folder).filter(
    (file) => /\.(js|css|svg|json|html|txt)$/.test(file) && statSync(file).size > 1_000,
  );
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  await Promise.all(
    files.map(async (file) => {
      const text = readFileSync(file);
      const [zipped, brotli] = await Promise.all([promisify(gzip)(text), promisify(brotliCompress)(text, quality)]);
      writeFileSync(`${file}.gz`, zipped);
      writeFileSync(`${file}.br`, brotli);
    }),
  );
}

function printOf({ inputs, folder }) {
  return fingerprint(inputs, folder === undefined ? [] : codeFiles(folder));
}

function fingerprint(inputs, further = []) {
  const hash = createHash('sha256');
  for (const file of [...inputs.flatMap((input) => filesBelow(join(root, input))), ...further].sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
