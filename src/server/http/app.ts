import compress from '@fastify/compress';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
} from 'fastify';
import { refuseWritesWhileViewing } from '../accounts/view-as/refuse-writes';
import type { Program } from '../program';
import { registerFiles } from './file-route';
import { registerGridConfigurations } from '../grids/routes';
import { registerMenuMarks } from '../menu/routes';
import { registerAutomation } from '../automation/routes';
import { registerPresence } from '../accounts/presence/routes';
import { registerTimer } from '../timers/routes';
import { registerComments } from '../comments/routes';
import { registerSearch } from '../search/routes';
import { registerImports } from '../imports/imports';
import { registerDraftRoutes } from '../modules/drafts/routes';
import { registerModuleRoutes } from '../modules/routes';
import { registerAnnouncements } from '../notifications/announcements';
import { registerNoticeChoices } from '../notifications/choices';
import { registerNotifications } from '../notifications/routes';
import { FairShares } from '../limits/fair-shares';
import { withFairTurns } from '../overload/fair-turns';
import { createOverloadProtection, withLoadShedding } from '../overload/overload-protection';
import { registerExportProgress } from '../exports/progress-route';
import { registerPublicForms } from '../public-forms/routes';
import { trackRequests, type TrackOptions } from '../requests/track-requests';
import { requestIdFrom } from '../requests/request-id';
import { logDeniedCall } from '../security-log/denied-calls';
import { registerSessionRoutes } from '../accounts/session/routes';
import { toFastifyTrustProxy } from '../settings/trust-proxy';
import { registerHealthRoutes } from './health-routes';
import { checkCallersBeforeBody, checkCallersBeforeValidation } from './check-callers';
import { retryOnSchemaChange } from './retry-on-schema-change';
import { registerJobRoutes } from './job-routes';
import { registerAppFiles } from './app-files';
import { registerDocumentation } from './documentation';
import { collectDescriptions } from '../routing/call-description';
import { respondToClientError } from './raw-responses';
import { sendError, respondNotFound } from './error-handler';
import { discardForms, registerBodyParsers } from '../routing/read-body';
import { maxBodySize } from '../limits/size-limits';
import { disconnectStalledClients } from './stalled-clients';
import { registerRequestRoutes } from './request-routes';
import { registerSharedRecords } from './shared-records';
import { registerResourceRoutes } from './resource-routes';
import { registerSecurity } from './security';
import { registerCrossOrigin } from './cross-origin';
import { dataHeaders } from '../routing/data-headers';
import { registerSecurityContact } from './security-contact';
import { validateCalls } from '../routing/validate-call';
import type { ListeningServer } from './listening-server';

/** Registers further routes of the API under `/api`. */
export type RegisterRoutes = (api: FastifyInstance, program: Program) => void | Promise<void>;

/**
 * Builds the HTTP application of a program: the API under `/api`, the documentation under `/docs`, the browser application
 * everywhere else.
 */
export async function buildApp(
  program: Program,
  options: {
    appFolder: string;
    docsFolder?: string;
    routes?: readonly RegisterRoutes[];
    front?: ListeningServer;
    finished?: TrackOptions['onFinished'];
  },
): Promise<FastifyInstance> {
  const { front } = options;
  const settings: FastifyServerOptions = {
    loggerInstance: program.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Failed requests are logged in one line each, so no logger per request is needed.
    childLoggerFactory: (logger) => logger,
    bodyLimit: maxBodySize,
    trustProxy: toFastifyTrustProxy(program.settings.trustProxy),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    return503OnClosing: false,
    genReqId: requestIdFrom,
    clientErrorHandler: respondToClientError,
    // Hooks have not run at this point.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply.headers(dataHeaders)),
  };
  let serve = (): void => undefined;
  const overload = createOverloadProtection(program.database.pool.options.max);
  const shares = new FairShares();
  if (front) {
    settings.serverFactory = (handler) => {
      serve = () => front.setHandler(withFairTurns(program, shares, withLoadShedding(overload, handler)));
      return front.server;
    };
  }
  const app: FastifyInstance = Fastify(settings);
  disconnectStalledClients(app.server, program.settings.limits.stalledTimeout);
  app.setErrorHandler((error, request, reply) => {
    logDeniedCall(program, request, error);
    return sendError(error, request, reply);
  });
  app.decorate('admissionFigures', overload.counts);
  trackRequests(app, {
    log: program.log,
    slowAfter: program.settings.operation.slowRequestMs,
    onFinished: options.finished,
  });
  await registerSecurity(app, program.settings);
  registerBodyParsers(app, program.files.temporary);
  collectDescriptions(app, '/api');
  await app.register(
    async (api) => {
      api.setNotFoundHandler(respondNotFound);
      await registerCrossOrigin(api, program.settings);
      validateCalls(api);
      checkCallersBeforeValidation(api, program);
      checkCallersBeforeBody(api, program, shares);
      refuseWritesWhileViewing(api, program);
      retryOnSchemaChange(api, program);
      registerHealthRoutes(api, program);
      discardForms(api);
      overload.limitRoutes(api);
      await registerSessionRoutes(api, program);
      registerGridConfigurations(api, program);
      registerMenuMarks(api, program);
      registerNotifications(api, program);
      registerNoticeChoices(api, program);
      registerAnnouncements(api, program);
      registerImports(api, program);
      registerJobRoutes(api, program);
      registerAutomation(api, program);
      registerSearch(api, program);
      registerPresence(api, program);
      registerComments(api, program);
      registerTimer(api, program);
      program.product.registerRoutes(api, program);
      await api.register(async (texts) => {
        await registerCompression(texts);
        registerModuleRoutes(texts, program);
        registerDraftRoutes(texts, program);
        for (const register of options.routes ?? []) await register(texts, program);
      });
      registerExportProgress(api, program);
      registerFiles(api, program);
      registerSharedRecords(api, program);
      registerPublicForms(api, program);
      registerRequestRoutes(api, program);
      registerResourceRoutes(api, program);
    },
    { prefix: '/api' },
  );
  const { docsFolder } = options;
  if (docsFolder !== undefined) await app.register((pages) => registerDocumentation(pages, docsFolder));
  await app.register(async (pages) => {
    await registerCompression(pages);
    registerSecurityContact(pages, program.settings);
    await registerAppFiles(pages, options.appFolder, program.product, program.settings);
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
async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: ['gzip'], threshold: 1400, globalDecompression: false });
}
