import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/** Scripts that tests run dozens of times. */
const scripts = ['resources-check', 'resources-pull', 'resources-push'];

/**
 * Builds the server, its worker threads and some scripts once: compiling them for every thread and process takes longer
 * than running them.
 */
export default async function setup(): Promise<() => void> {
  // Inside the project, so that dependencies are resolved.
  const folder = resolve(`node_modules/.cache/threads-${process.pid}`);
  const input = Object.fromEntries(scripts.map((name) => [name, `scripts/${name}.ts`]));
  await build({
    configFile: resolve('vite.config.ts'),
    logLevel: 'warn',
    build: { ssr: true, outDir: folder, rolldownOptions: { input } },
  });
  process.env.ASSAY_THREADS = pathToFileURL(`${folder}/`).href;
  return () => rmSync(folder, { recursive: true, force: true });
}
