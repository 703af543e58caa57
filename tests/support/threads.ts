import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/**
 * Builds the server and the programs of its threads once: compiling them for every thread and process took longer than
 * what they do.
 */
export default async function setup(): Promise<() => void> {
  // Within the project, where their libraries are found.
  const folder = resolve(`node_modules/.cache/threads-${process.pid}`);
  await build({ configFile: resolve('vite.config.ts'), logLevel: 'warn', build: { ssr: true, outDir: folder } });
  process.env.ASSAY_THREADS = pathToFileURL(`${folder}/`).href;
  return () => rmSync(folder, { recursive: true, force: true });
}
