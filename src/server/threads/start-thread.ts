import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread. The build puts its program, `{name}.js`, beside the server's. Run from sources, the program is
 * compiled first; tests, which start many, build it once into the folder at the URL `ASSAY_THREADS`.
 */
export function startThread(name: string, source: URL, options: WorkerOptions): Worker {
  const worker = open(name, source, options);
  // A thread that fails must never end the program, not even where nobody waits for it any more.
  worker.on('error', () => undefined);
  return worker;
}

function open(name: string, source: URL, options: WorkerOptions): Worker {
  const built = import.meta.url.endsWith('.ts') ? process.env.ASSAY_THREADS : import.meta.url;
  if (built !== undefined) return new Worker(new URL(`./${name}.js`, built), options);
  const program = `import('tsx/esm/api').then(({ register }) => { register(); return import('${source.href}'); })`;
  return new Worker(program, { ...options, eval: true });
}
