import compress from '@fastify/compress';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
} from 'fastify';
import { refuseWritesWhileViewing } from '../domain/view-as/refuse-writes';
import type { Program } from '../program';
import { registerFiles } from '../files/route';
import { registerModules } from '../modules/routes';
import { openOverload, shedding } from '../overload/admit-calls';
import { registerExportProgress } from '../exports/progress-route';
import { followRequests, type FollowOptions } from '../requests/follow-requests';
import { requestIdFrom } from '../requests/request-id';
import { recordRefusal } from '../security-log/refusals';
import { registerSessionRoutes } from '../session/routes';
import { fastifyTrust } from '../settings/trust-proxy';
import { registerHealth } from '../lifecycle/health-routes';
import { admitCallers } from './admit';
import { keepVersionsApart } from './anew';
import { registerAppFiles } from './app-files';
import { keepDescriptions } from './described';
import { answerClientError } from './bare-answers';
import { answerError, answerUnknownPath } from './error-handler';
import { discardForms, registerBodies } from './read-body';
import { bodyLimit } from './sizes';
import { endStalledPeers } from './stalled-peers';
import { registerRequestRoutes } from './request-routes';
import { registerSharedRecords } from './shared-records';
import { registerResourceRoutes } from './resource-routes';
import { dataHeaders, registerSecurity } from './security';
import { registerSecurityContact } from './security-contact';
import type { Front } from './front';

/** Registers further routes of the API under `/api`. */
export type Routes = (api: FastifyInstance, program: Program) => void | Promise<void>;

/** Builds the HTTP application of a program: the API under `/api`, the browser application everywhere else. */
export async function buildApp(
  program: Program,
  options: { appFolder: string; routes?: readonly Routes[]; front?: Front; finished?: FollowOptions['finished'] },
): Promise<FastifyInstance> {
  const { front } = options;
  const settings: FastifyServerOptions = {
    loggerInstance: program.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Failed requests are logged in one line each, so no logger per request is needed.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    trustProxy: fastifyTrust(program.settings.trustProxy),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    return503OnClosing: false,
    genReqId: requestIdFrom,
    clientErrorHandler: answerClientError,
    // Hooks have not run at this point.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(dataHeaders)),
  };
  let serve = (): void => undefined;
  const overload = openOverload(program.database.pool.options.max);
  if (front) {
    settings.serverFactory = (handler) => {
      serve = () => front.serve(shedding(overload, handler));
      return front.server;
    };
  }
  const app: FastifyInstance = Fastify(settings);
  endStalledPeers(app.server, program.settings.limits.stalledAfter);
  app.setErrorHandler((error, request, reply) => {
    recordRefusal(program, request, error);
    return answerError(error, request, reply);
  });
  app.decorate('admissionFigures', overload.figures);
  followRequests(app, {
    log: program.log,
    slowAfter: program.settings.operation.slowRequestMs,
    finished: options.finished,
  });
  await registerSecurity(app, program.settings);
  registerBodies(app, program.files.temporary);
  await app.register(
    async (api) => {
      api.setNotFoundHandler(answerUnknownPath);
      keepDescriptions(api);
      admitCallers(api, program);
      refuseWritesWhileViewing(api, program);
      keepVersionsApart(api, program);
      registerHealth(api, program);
      discardForms(api);
      overload.admit(api);
      await registerSessionRoutes(api, program);
      await api.register(async (texts) => {
        await compressed(texts);
        registerModules(texts, program);
        for (const register of options.routes ?? []) await register(texts, program);
      });
      registerExportProgress(api, program);
      registerFiles(api, program);
      registerSharedRecords(api, program);
      registerRequestRoutes(api, program);
      registerResourceRoutes(api, program);
    },
    { prefix: '/api' },
  );
  await app.register(async (pages) => {
    await compressed(pages);
    registerSecurityContact(pages, program.settings);
    await registerAppFiles(pages, options.appFolder);
  });
  await app.ready();
  // Fastify cannot answer requests before all its routes are registered.
  serve();
  return app;
}

/**
 * Compresses large responses that are the same for many users. Records are not compressed: the hooks of compression
 * cost them more than they save.
 */
async function compressed(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: ['gzip'], threshold: 1400, globalDecompression: false });
}
