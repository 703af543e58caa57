import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { prepareData } from './server/domain/first-start';
import { scheduleDeadlines } from './server/domain/notices/schedule';
import { composeMails } from './server/domain/mails';
import { hooks } from './server/domain/hooks';
import { jobKinds } from './server/domain/jobs';
import { roleLevels } from './server/domain/accounts';
import { buildApp } from './server/http/app';
import { registerDefinitions } from './server/http/definitions-route';
import { openFront } from './server/http/front';
import { registerEvents } from './server/live/events-route';
import { maySee } from './server/live/may-see';
import { startSender } from './server/mail/sender';
import { registerOpenApi } from './server/openapi/routes';
import { forgetAccess } from './server/session/access-cache';
import { authenticate, onAccessChange, standing } from './server/session/authenticate';
import { openLog } from './server/settings/log';
import { readSettings } from './server/settings/settings';
import { startProgram } from './server/start-program';

const patience = 10_000;

/** Starts the server and answers how to stop it. */
async function main(): Promise<() => Promise<void>> {
  const settings = readSettings(process.env);
  const log = openLog(settings.logLevel);
  const front = openFront();
  await front.listen(settings.port, settings.host);
  const { program, stop } = await startProgram(settings, {
    domain: { hooks, roleLevels, granted: forgetAccess, prepareData, jobKinds },
    folder: resolve('resources'),
    log,
  }).catch(async (error: unknown) => {
    await front.drain(0);
    throw error;
  });
  const app = await buildApp(program, {
    appFolder: fileURLToPath(new URL('../app', import.meta.url)),
    front,
    routes: [
      registerDefinitions,
      registerOpenApi,
      (api) =>
        registerEvents(api, program, {
          enter: (request) => authenticate(program, request),
          standing: (request) => standing(program, request),
          maySee: (actor, event) => maySee(program, actor, event),
          onAccessChange: (listener) => onAccessChange(program, listener),
        }),
    ],
  });
  const stopDeadlines = scheduleDeadlines(program);
  const sender = await startSender(program, composeMails(program));
  log.info(`Assay is ready at ${settings.publicUrl}`);
  return async () => {
    log.info('Assay is stopping');
    // First: whoever waits for a job is answered before the connections are drained.
    const jobsGivenBack = program.jobs.stop();
    const drained = front.drain(patience);
    await app.close();
    await drained;
    await jobsGivenBack;
    await sender.stop();
    await stopDeadlines();
    await stop();
  };
}

const stopped = main().catch((error: Error & { code?: string; port?: number }) => {
  const { code, port, message } = error;
  const taken = `PORT: another program, Assay perhaps, listens at port ${port} already: stop it, or set PORT to another one.`;
  console.error(code === 'EADDRINUSE' ? taken : message);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopped.then((stop) => stop()).then(() => process.exit(0)));
}
