import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { product as defaultProduct } from './product';
import { product as productCode } from './server/product-code';
import { abandonedCompaniesWork } from './server/accounts/companies/abandoned-companies';
import { createMailComposer } from './server/accounts/mails/mails';
import { buildApp } from './server/http/app';
import { registerDefinitions } from './server/http/definitions-route';
import { createListeningServer } from './server/http/listening-server';
import { leave } from './server/accounts/presence/presence';
import { registerEvents } from './server/events/events-route';
import { visibleEvents } from './server/events/visible-events';
import { shutDown } from './server/http/shut-down';
import { keepHeapSmall } from './server/lifecycle/heap';
import { onSignal } from './server/lifecycle/signals';
import { startMailSender } from './server/mail/sender';
import { registerOpenApi } from './server/http/openapi/routes';
import { authenticate, onAccessChange, currentActor } from './server/accounts/session/authenticate';
import { openLog } from './server/settings/log';
import { readSettings } from './server/settings/settings';
import { readProduct } from './server/read-product';
import { startProgram } from './server/start-program';

/** How long a stop waits for a start that is still under way, in milliseconds. */
const startTimeout = 9_000;

keepHeapSmall();

/** Starts the server and returns a function that stops it. */
async function main(signal: AbortSignal): Promise<() => Promise<void>> {
  const settings = readSettings({ ...process.env, ...readArguments() });
  const { productFolder } = settings;
  const product = productFolder === undefined ? defaultProduct : readProduct(productFolder, productCode);
  const log = openLog(settings.logLevel);
  const front = createListeningServer();
  await front.listen(settings.port, settings.host);
  const { program, probe, cancelStatements, whenUnlocked, embedded, stop } = await startProgram(settings, {
    product,
    log,
    health: front.health,
    signal,
  }).catch(async (error: unknown) => {
    await front.drain(0);
    throw error;
  });
  // The library of metrics is loaded only if it is used.
  const metrics =
    settings.operation.metricsPort === undefined
      ? undefined
      : (await import('./server/metrics/open-metrics')).openMetrics();
  const app = await buildApp(program, {
    finished: metrics?.countRequest,
    appFolder: findApplication(),
    docsFolder: builtDocumentation(),
    front,
    routes: [
      registerDefinitions,
      registerOpenApi,
      (api) =>
        registerEvents(api, program, {
          authenticate: (request) => authenticate(program, request),
          currentActor: (request) => currentActor(program, request),
          filterVisible: (actor, events, asked) => visibleEvents(program, actor, events, asked),
          onAccessChange: (listener) => onAccessChange(program, listener),
          onStreamEnd: (actor, stream) => leave(program, actor, stream),
        }),
    ],
  });
  const periodicWork = [abandonedCompaniesWork(program), ...(product.periodicWork?.(program) ?? [])];
  await whenUnlocked(() => program.queue.repeat(periodicWork));
  const sender = startMailSender(program, createMailComposer(program));
  front.health.markRunning(probe.trouble);
  const stopMetrics = await metrics?.start({ program, front, probe, embedded, admission: app.admissionFigures });
  log.info(`Assay is ready at ${settings.publicUrl}`);
  const end = () =>
    shutDown({
      front,
      delay: settings.operation.shutdownDelay,
      // This closes only the event streams: the server is not created by Fastify.
      endStreams: () => app.close(),
      stopWork: () => Promise.all([program.jobs.stop(), sender.stop(), stopMetrics?.()]),
      cancelStatements,
      stopProgram: stop,
      log,
    });
  void embedded?.failed.then(async (error) => {
    log.fatal(error.message);
    await end();
    process.exit(1);
  });
  return end;
}

/** The built application: that of the product whose code this build contains, if it has screens; or else that of all. */
function findApplication(): string {
  const [, product] = /\/server(-[^/]+)\/$/.exec(new URL('.', import.meta.url).pathname) ?? [];
  const ofProduct = fileURLToPath(new URL(`../app${product ?? ''}`, import.meta.url));
  return existsSync(ofProduct) ? ofProduct : fileURLToPath(new URL('../app', import.meta.url));
}

/** The folder of the built documentation: beside the built server, or for a server that runs from its sources in `dist/`. */
function builtDocumentation(): string {
  const [besideServer, ofBuild] = ['../docs', '../dist/docs'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return existsSync(`${besideServer}/index.html`) ? besideServer! : ofBuild!;
}

/** The settings that are given as arguments. */
function readArguments(): Readonly<Record<string, string>> {
  const { values } = parseArgs({ options: { product: { type: 'string' } } });
  return values.product === undefined ? {} : { ASSAY_PRODUCT: values.product };
}

const starting = new AbortController();
const started = main(starting.signal).catch((error: Error & { code?: string; port?: number }) => {
  if (starting.signal.aborted) process.exit(0);
  const { code, port, message } = error;
  const setting = port === Number(process.env.METRICS_PORT) ? 'METRICS_PORT' : 'PORT';
  const taken = `${setting}: another program, Assay perhaps, listens at port ${port} already: stop it, or set ${setting} to another one.`;
  console.error(code === 'EADDRINUSE' ? taken : message);
  process.exit(1);
});
onSignal(async () => {
  starting.abort();
  // If the start has got past waiting for its database, let it finish first, unless that takes too long.
  const end = await Promise.race([started, wait(startTimeout)]);
  await end?.();
});
