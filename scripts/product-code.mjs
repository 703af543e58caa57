// The code of a product in a folder of its own: which files it has, and how builds find what these import.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** The folder of the product that the arguments (`--product FOLDER`) or the environment name; undefined without one. */
export function productFolder(args = process.argv.slice(2)) {
  const { values } = parseArgs({ args, options: { product: { type: 'string' } }, strict: false });
  const folder = typeof values.product === 'string' ? values.product : process.env.ASSAY_PRODUCT;
  return folder ? resolve(folder) : undefined;
}

/** The code of a product for the server or for the browser: the first of these files; undefined if there is none. */
export function codeFile(folder, half) {
  const names = half === 'server' ? ['index.ts', 'index.js', 'index.mjs'] : ['browser.tsx', 'browser.ts', 'browser.js'];
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** The files that a build of the product's code depends on. */
export function codeFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) return codeFiles(path);
    return /\.(m?[jt]sx?|css|json)$/.test(entry.name) && !path.includes(`${sep}resources${sep}`) ? [path] : [];
  });
}

/** The modules of the program in whose place the product's code stands, each with what imports it. */
const placesOfCode = {
  server: { importer: 'src/main-server.ts', source: './server/product-code' },
  browser: { importer: 'src/main.tsx', source: '../custom-screens' },
};

/**
 * A plugin for Vite that builds the code of a product into the program. The imports of its files are looked for beside them first:
 * `assay/…` is a module below `src`, and packages that the product does not have are those of the program.
 */
export function productCode(root, folder, half) {
  const codePath = placesOfCode[half];
  return {
    name: 'product-code',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer === undefined) return null;
      if (source === codePath.source && relative(root, importer) === codePath.importer) return codeFile(folder, half);
      if (!importer.startsWith(`${folder}${sep}`) || source.startsWith('.') || source.startsWith('node:')) return null;
      if (source.startsWith('assay/'))
        return this.resolve(join(root, 'src', source.slice('assay/'.length)), undefined, { skipSelf: true });
      const resolution = await this.resolve(source, importer, { skipSelf: true }).catch(() => null);
      const isFound =
        resolution && !resolution.id.startsWith('__vite-optional-peer-dep') && existsSync(resolution.id.split('?')[0]);
      return isFound ? resolution : this.resolve(source, join(root, 'package.json'), { skipSelf: true });
    },
  };
}

/** The exports of a product's code for the server, built by itself; undefined if it has none. Throws the errors of its build. */
export async function loadCode(root, folder) {
  const input = codeFile(folder, 'server');
  if (input === undefined) return undefined;
  const packages = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies);
  mkdirSync(join(root, 'dist'), { recursive: true });
  // Within the program, so that its packages are found.
  const outDir = mkdtempSync(join(root, 'dist/product-'));
  try {
    const { build } = await import('vite');
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [productCode(root, folder, 'server')],
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir,
        target: 'node20',
        rolldownOptions: {
          input,
          external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
          output: { entryFileNames: 'index.mjs' },
        },
      },
    });
    return await import(pathToFileURL(join(outDir, 'index.mjs')).href);
  } finally {
    rmSync(outDir, { recursive: true });
  }
}
