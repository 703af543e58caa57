// How much JavaScript the browser loads before the first page shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './build-stale.mjs';

/**
 * The size in bytes, after gzip, of the application's entry and the given parts with all their imports and other
 * scripts of the page.
 */
export function entrySize(parts = []) {
  const folder = join(root, 'dist/app');
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = new Set([...page.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, path]) => path));
  const add = (key) => {
    const chunk = manifest[key];
    // A part that another one imports as well has no chunk of its own: it is in that of their group.
    if (!chunk && parts.includes(key)) return;
    files.add(chunk.file);
    for (const importedKey of chunk.imports ?? []) if (!files.has(manifest[importedKey].file)) add(importedKey);
  };
  for (const part of ['index.html', ...parts]) add(part);
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
}
