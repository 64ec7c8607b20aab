import type { IncomingMessage, ServerResponse } from 'node:http';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RawServerDefault } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { uuidv7 } from 'uuidv7';
import * as z from 'zod';
import type { ComputePool } from '../compute/compute.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { JobQueue } from '../job-queue/job-queue.ts';
import { registerQueueMetrics } from '../job-queue/queue-metrics.ts';
import type { Logger } from '../logging/logger.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { ObjectStorage } from '../object-storage/object-storage.ts';
import type { ResultTables } from '../result-tables/result-tables.ts';
import type { AccessControl } from './access.ts';
import { isApiRequest, isStorageRequest } from './api-route.ts';
import { registerOpenApi } from './document/openapi.ts';
import { registerErrorHandler } from './error-handler.ts';
import { registerGuards } from './guards.ts';
import { GUEST_CALLS_PER_MINUTE, guestToken } from './guests.ts';
import { registerHealth } from './health.ts';
import { registerCallerIp } from './hooks/caller-ip.ts';
import { registerIdempotency } from './hooks/idempotency.ts';
import { registerJsonBody } from './hooks/json-body.ts';
import { registerLoopWatch } from './hooks/loop-watch.ts';
import { registerMetrics } from './hooks/metrics.ts';
import { registerRequestOrigin } from './hooks/request-origin.ts';
import { IDLE_MS, registerSlowSenders } from './hooks/slow-senders.ts';
import { registerStorableText } from './hooks/storable-text.ts';
import { registerTraces } from './hooks/traces.ts';
import { outsideRoutes, registerHost } from './outside-routes.ts';
import { Problem } from './problem.ts';
import { registerWeb } from './web.ts';

/** A Fastify whose routes take zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Services that features receive. */
export interface Services {
  config: Config;
  db: Database;
  logger: Logger;
  storage: ObjectStorage;
  jobs: JobQueue;
  mailer: Mailer;
  tables: ResultTables;
}

/** What the handlers of jobs receive. */
export type WorkerServices = Services & { compute: ComputePool };

/** The routes of one feature; addresses are written without `/api`. */
export type FeatureRoutes = (app: App, services: Services) => void | Promise<void>;

export interface AppOptions {
  services: Services;
  access: AccessControl;
  features: readonly FeatureRoutes[];
  /** Routes outside `/api`, with complete addresses. */
  rootFeatures?: readonly FeatureRoutes[];
  /** Directory of the built web application. */
  webDirectory?: string;
}

/** Largest body of an API call; files go to the storage by signed URL. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** The HTTP server, ready for `listen` or `inject`. */
export async function createApp({
  services,
  access,
  features,
  rootFeatures = [],
  webDirectory,
}: AppOptions): Promise<App> {
  const { config, logger } = services;
  const app: App = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // registerRequestLog writes the lines, without queries.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: (request) => knownRequestId(request.headers['x-request-id']) ?? uuidv7(),
    trustProxy: config.trustProxy,
    // After SIGTERM: no new connections, idle ones closed, running requests finished.
    forceCloseConnections: 'idle',
    connectionTimeout: IDLE_MS,
    ...outsideRoutes(logger),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler((route) =>
    // Refuse unknown keys: a misspelt filter must not return everything, nor a misspelt option fall back to its
    // default.
    (route.httpPart === 'querystring' || route.httpPart === 'body') && route.schema instanceof z.ZodObject
      ? validatorCompiler({ ...route, schema: route.schema.strict() })
      : validatorCompiler(route as Parameters<typeof validatorCompiler>[0]),
  );
  app.setSerializerCompiler(serializerCompiler);
  registerErrorHandler(app);
  registerJsonBody(app);
  registerHost(app);
  registerCallerIp(app);
  registerSlowSenders(app);
  registerTraces(app);
  registerRequestLog(app);
  registerRequestOrigin(app, config);
  registerMetrics(app, services.db, config);
  registerLoopWatch(app);
  registerQueueMetrics(app, services.db);
  await app.register(fastifyHelmet, securityHeaders(config));
  if (config.rateLimit > 0)
    await app.register(fastifyRateLimit, {
      max: (request) =>
        guestToken(request.headers) === undefined
          ? config.rateLimit
          : Math.min(config.rateLimit, GUEST_CALLS_PER_MINUTE),
      timeWindow: '1 minute',
      // Guests use up nothing of those who work in the same network.
      keyGenerator: ({ headers, callerIp }) => (guestToken(headers) === undefined ? callerIp : `guest ${callerIp}`),
      // Signed addresses are not counted: each was issued by a counted call, and a large file has a thousand parts.
      allowList: (request) => !isApiRequest(request) || isStorageRequest(request),
    });
  registerGuards(app, access);
  app.addHook('preValidation', async (request) => {
    if (request.is404 || !isApiRequest(request)) return;
    if (request.routeOptions.schema?.querystring !== undefined) return;
    const [key] = Object.keys(request.query as object);
    if (key !== undefined && request.routeOptions.config.anyQuery !== true)
      throw new Problem('request/invalid', `There is no query parameter "${key}" here.`, {
        invalidParams: [{ name: `query.${key}`, reason: 'There is no such parameter' }],
      });
  });
  registerStorableText(app);
  registerIdempotency(app, services.db);
  await registerOpenApi(app, config);
  registerHealth(app, services);

  for (const routes of features)
    await app.register(async (scope) => routes(scope as App, services), { prefix: '/api' });
  for (const routes of rootFeatures) await app.register(async (scope) => routes(scope as App, services));
  await registerWeb(app, webDirectory);
  await app.ready();
  return app;
}

function knownRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : undefined;
}

/** One log line per request, without the query, which may contain a sign-in code or a signature. */
function registerRequestLog(app: App): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Responses belong to one person and contain signed addresses.
    if (isApiRequest(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    // A connection that is busy during shutdown would otherwise be kept alive and delay it.
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.callerIp,
      user_id: request.principal?.userId,
    };
    if (isApiRequest(request)) request.log.info(line, 'request');
    else request.log.debug(line, 'request');
  });
}

/** What the card entry of Stripe loads (https://docs.stripe.com/security/guide#content-security-policy). */
const STRIPE_ORIGINS = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connections: ['https://api.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};

function securityHeaders(config: Config) {
  const secure = config.publicUrl.startsWith('https:');
  // Browsers send and fetch files at the bucket's own address.
  const bucket =
    config.storage.kind === 's3'
      ? config.storage.endpoint === undefined
        ? [`https://*.amazonaws.com`]
        : [new URL(config.storage.endpoint).origin, bucketOrigin(config.storage.endpoint, config.storage.bucket)]
      : [];
  const stripe = config.billing.kind === 'stripe' ? STRIPE_ORIGINS : { scripts: [], connections: [], frames: [] };
  const { firebase: hosted } = config.signIn;
  const firebase =
    hosted === null
      ? []
      : hosted.emulatorHost === undefined
        ? ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
        : [`http://${hosted.emulatorHost}`];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe.scripts],
        // Mantine and ECharts write style attributes and elements at run time; scripts stay strict.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...bucket],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...bucket, ...stripe.connections, ...firebase],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", ...bucket, ...stripe.frames],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // Browsers ignore both on plain http, and complain of it on every page.
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    // For browsers that do not know frame-ancestors.
    xFrameOptions: { action: 'deny' as const },
  };
}

function bucketOrigin(endpoint: string, bucket: string): string {
  const url = new URL(endpoint);
  return `${url.protocol}//${bucket}.${url.host}`;
}
