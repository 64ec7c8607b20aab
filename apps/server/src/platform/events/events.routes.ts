import type { ServerResponse } from 'node:http';
import { type AccessControl, type Principal, requirePrincipal, type VisibleScopes } from '../http/access.ts';
import type { FeatureRoutes } from '../http/app.ts';
import type { EventHub } from './event-hub.ts';
import type { PublishedEvent } from './events.ts';

const HEARTBEAT_MS = 15_000;
/** Rights may change while a stream is open. */
const SCOPES_VALID_MS = 30_000;

/** `GET /api/events`: server-sent events about what the caller may see. */
export function eventRoutes(hub: EventHub, access: AccessControl): FeatureRoutes {
  return (app, { logger }) => {
    const open = new Set<ServerResponse>();
    app.addHook('preClose', async () => {
      for (const response of open) response.end();
    });

    app.get(
      '/events',
      {
        config: { guard: 'signed-in', rateLimit: { max: 120, timeWindow: '1 minute' } },
        schema: { summary: 'Changes, as server-sent events' },
      },
      async (request, reply) => {
        const principal = requirePrincipal(request);
        const scopes = rememberScopes(access, principal);
        await scopes();
        reply.hijack();
        const response = reply.raw;
        response.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        });
        response.write(': connected\n\n');
        open.add(response);
        const unsubscribe = hub.subscribe((event) => {
          scopes().then(
            (visible) => {
              if (!maySee(principal, visible, event) || response.writableEnded) return;
              const { user_ids: _, ...told } = event;
              response.write(`data: ${JSON.stringify(told)}\n\n`);
            },
            (error: unknown) => logger.warn({ err: error }, 'event scopes'),
          );
        });
        const heartbeat = setInterval(() => response.write(': \n\n'), HEARTBEAT_MS);
        response.on('close', () => {
          clearInterval(heartbeat);
          unsubscribe();
          open.delete(response);
        });
      },
    );
  };
}

function rememberScopes(access: AccessControl, principal: Principal): () => Promise<VisibleScopes> {
  let known: Promise<VisibleScopes> | undefined;
  let readAt = 0;
  return () => {
    if (!known || Date.now() - readAt > SCOPES_VALID_MS) {
      readAt = Date.now();
      known = access.listVisibleScopes(principal);
      known.catch(() => {
        known = undefined;
      });
    }
    return known;
  };
}

function maySee(principal: Principal, visible: VisibleScopes, event: PublishedEvent): boolean {
  if (event.user_ids) return event.user_ids.includes(principal.userId);
  if (event.project_id !== null && event.project_id !== undefined) return visible.projectIds.includes(event.project_id);
  return event.organization_id !== null && visible.organizationIds.includes(event.organization_id);
}
