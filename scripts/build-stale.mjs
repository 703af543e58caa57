// The sources of the builds, which builds no longer match them, and how to make them.
// Imports nothing but Node at its top: in production the build tools are not installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { codeFile, codeFiles, productCode } from './product-code.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where it is noted of which folders there are builds with code, and which processes use them. */
const products = join(root, 'dist/products');

/** The built server, which `npm start` runs: of a product with code, the one that contains it. */
export function serverProgram(folder) {
  return join(root, partsFor(folder).find(({ name, kind = name }) => kind === 'server').output);
}

const sharedSources = [
  'src/engine',
  'custom-screens',
  'schemas',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

// The definitions in system/ and resources/ are read while the program runs; the application knows the names in system/.
const parts = [
  {
    name: 'application',
    inputs: [
      ...sharedSources,
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
      ...sharedSources,
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
 * it, in a folder of its own. So is the server of a product with screens alone, because its folder says which application it serves.
 */
function partsFor(folder) {
  if (folder === undefined) return parts;
  const name = buildName(folder);
  return parts.map((part) => {
    const half = { server: 'server', application: 'browser' }[part.name];
    const halves = half === 'server' ? ['server', 'browser'] : [half];
    if (half === undefined || !halves.some((name) => codeFile(folder, name))) return part;
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

/** The name of the builds with the code of the product in a folder. */
export function buildName(folder) {
  return `${basename(folder)}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
}

/** Notes that this process uses the builds with the code of the product in a folder, which are kept until it ends. */
export function useBuilds(folder) {
  const notes = join(products, buildName(folder));
  try {
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, 'folder'), folder);
    writeFileSync(join(notes, String(process.pid)), '');
    process.once('exit', () => rmSync(join(notes, String(process.pid)), { force: true }));
  } catch (error) {
    // Where nothing can be written, nothing is removed either.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

/** Removes the builds of products whose folder has no code any more, or is gone, unless a process uses them. */
export function removeUnusedBuilds() {
  const names = existsSync(products) ? readdirSync(products) : [];
  for (const name of names) {
    const notes = join(products, name);
    const folder = readFileSync(join(notes, 'folder'), 'utf8');
    const hasCode = ['server', 'browser'].some((half) => codeFile(folder, half) !== undefined);
    if (hasCode || readdirSync(notes).some(isRunning)) continue;
    for (const stem of ['server', 'app', 'vite'])
      for (const end of ['', '.stamp'])
        rmSync(join(root, 'dist', `${stem}-${name}${end}`), { recursive: true, force: true });
    rmSync(notes, { recursive: true, force: true });
  }
}

function isRunning(name) {
  if (!/^\d+$/.test(name)) return false;
  try {
    return process.kill(Number(name), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** True when every build is there, up to date or not. */
export function hasBuild(folder) {
  return partsFor(folder).every(({ output }) => existsSync(join(root, output)));
}

/** The builds that are missing or older than their sources. */
export function staleParts(folder) {
  return partsFor(folder).filter((part) => {
    const { output, stamp } = part;
    const stampFile = join(root, stamp);
    if (!existsSync(join(root, output)) || !existsSync(stampFile)) return true;
    return readFileSync(stampFile, 'utf8') !== printOf(part);
  });
}

/** Tells one build of the server from another, by its sources. */
export function serverFingerprint() {
  return fingerprint(parts.find(({ name }) => name === 'server').inputs);
}

/** Makes the builds for the product in a folder, or the given ones of them. Needs the development dependencies. */
export async function build(folder, chosenParts = partsFor(folder)) {
  removeUnusedBuilds();
  if (chosenParts.some((part) => part.folder !== undefined)) useBuilds(folder);
  for (const part of chosenParts) {
    const { name, kind = name, stamp, options } = part;
    const startTime = performance.now();
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
    console.log(`Built the ${name} in ${((performance.now() - startTime) / 1000).toFixed(1)} s`);
  }
}

/**
 * Builds the server with the code of the product in a folder, and again as its sources change. Answers the watcher, whose
 * events tell of each build; undefined if the product has no such code.
 */
export async function watchServer(folder) {
  const { stamp, options } = partsFor(folder).find(({ name, kind = name }) => kind === 'server');
  if (options.plugins === undefined) return undefined;
  // It no longer tells which sources the build is of.
  rmSync(join(root, stamp), { force: true });
  const vite = await import('vite');
  const build = { ...options.build, watch: {} };
  return vite.build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', ...options, build });
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

function fingerprint(inputs, extraTexts = []) {
  const hash = createHash('sha256');
  for (const file of [...inputs.flatMap((input) => filesBelow(join(root, input))), ...extraTexts].sort()) {
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
