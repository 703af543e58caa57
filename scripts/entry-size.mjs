// How much JavaScript the browser loads before the first page shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './build-stale.mjs';

/**
 * The size in bytes, after gzip, of the application's entry and the chunks of these names with all their imports and
 * other scripts of the page.
 */
export function entrySize(chunkNames = []) {
  const folder = join(root, 'dist/app');
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = new Set([...page.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, path]) => path));
  const add = (key) => {
    const chunk = manifest[key];
    files.add(chunk.file);
    for (const importedKey of chunk.imports ?? []) if (!files.has(manifest[importedKey].file)) add(importedKey);
  };
  add('index.html');
  for (const chunkName of chunkNames) {
    const key = Object.keys(manifest).find((manifestKey) => manifest[manifestKey].name === chunkName);
    if (key === undefined) throw new Error(`There is no chunk ${chunkName} in the manifest.`);
    add(key);
  }
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
}
