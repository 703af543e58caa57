import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * The code of a thread: the name that its file has once it is built (an input in `vite.config.ts`), and its source.
 *
 * @example { name: 'deal-files-worker', source: new URL('./worker.ts', import.meta.url) }
 */
export interface ThreadSource {
  readonly name: string;
  readonly source: URL;
}

/**
 * Starts a thread. The build puts its code, `{name}.js`, next to the server's. When running from source, the code is
 * compiled first; tests, which start many threads, build it once into the folder at the URL `ASSAY_THREADS`.
 *
 * @example startThread('report-worker', new URL('./worker.ts', import.meta.url), { workerData: { path } });
 */
export function startThread(name: string, source: URL, options: WorkerOptions): Worker {
  const worker = openWorker(name, source, options);
  // A failing thread must never crash the process, even when nobody waits for it any more.
  worker.on('error', () => undefined);
  return worker;
}

function openWorker(name: string, source: URL, options: WorkerOptions): Worker {
  const built = import.meta.url.endsWith('.ts') ? process.env.ASSAY_THREADS : import.meta.url;
  if (built !== undefined) return new Worker(new URL(`./${name}.js`, built), options);
  const program = `import('tsx/esm/api').then(({ register }) => { register(); return import('${source.href}'); })`;
  return new Worker(program, { ...options, eval: true });
}
