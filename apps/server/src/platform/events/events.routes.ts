import { eventsApi } from '@heterosis/contracts/endpoints/operation/events';
import type { ChangeEvent } from '@heterosis/contracts/events';
import { Gauge } from 'prom-client';
import type { AccessControl, Principal, VisibleScopes } from '../http/access.ts';
import type { FeatureRoutes } from '../http/app.ts';
import { bind } from '../http/bind.ts';
import { Problem } from '../http/problem.ts';
import type { EventHub } from './event-hub.ts';
import type { PublishedEvent } from './events.ts';

const HEARTBEAT_MS = 15_000;
/** Permissions are re-read when they may have changed, and at least this often. */
const SCOPES_LIVE_MS = 30_000;
/** A reader this far behind is disconnected and reconnects. */
const MAX_BACKLOG_BYTES = 1_000_000;

const GAP = 'event: gap\ndata: {}\n\n';

/**
 * Streams that one person may have open at this process. Tabs of a browser share one; without Web Locks (plain http)
 * each has its own, at most six per browser. Further streams are refused and their pages poll; closing the oldest
 * would make tabs displace each other forever.
 */
const MAX_STREAMS = 24;

export interface EventRoutesOptions {
  hub: EventHub;
  access: AccessControl;
  /** Interval of keep-alives, each with a check that the reader may still read. */
  heartbeatMs?: number;
  maxStreams?: number;
}

/** `GET /api/events`: changes of what the caller may see, as server-sent events. */
export function eventRoutes({
  hub,
  access,
  heartbeatMs = HEARTBEAT_MS,
  maxStreams = MAX_STREAMS,
}: EventRoutesOptions): FeatureRoutes {
  return (app, services) => {
    const open = new Set<() => void>();
    const streamsOf = new Map<string, number>();
    const count = (userId: string, change: number): void => {
      const streams = (streamsOf.get(userId) ?? 0) + change;
      if (streams === 0) streamsOf.delete(userId);
      else streamsOf.set(userId, streams);
    };
    app.metrics.registerMetric(
      new Gauge({
        name: 'heterosis_event_streams',
        help: 'Browsers that listen for changes at this process',
        registers: [],
        collect() {
          this.set(open.size);
        },
      }),
    );
    // Close the streams before the server waits for its connections; they would never end on their own.
    app.addHook('preClose', async () => {
      for (const close of open) close();
    });

    return bind(eventsApi, {
      async listen({ principal }, { query: { missed_ms: missedMs } }, { request, reply }) {
        const mayKnow = createFilter(access, principal);
        if ((streamsOf.get(principal.userId) ?? 0) >= maxStreams)
          throw new Problem(
            'events/too-many-streams',
            `You have ${maxStreams} streams of events open already. Close a tab or a program that listens, or ask for what you need now and then.`,
            { headers: { 'retry-after': '15' } },
          );
        const stream = reply.hijack().raw;
        stream.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          'x-request-id': request.id,
        });
        stream.write('retry: 2000\n\n');

        const write = (text: string) => {
          if (stream.writableLength > MAX_BACKLOG_BYTES) close();
          else stream.write(text);
        };
        /** A stream outlives the token that it was opened with, but not the session. */
        const beat = async () => {
          try {
            if (await access.isStillSignedIn(principal, request)) write(': still here\n\n');
            else close();
          } catch (error) {
            // The database cannot be reached, so there is nothing to send. The next keep-alive checks again.
            request.log.warn({ err: error }, 'the session of a reader of events could not be looked up');
          }
        };
        // In sequence: checks take different times, and a later event must not overtake an earlier one.
        let told: Promise<void> = Promise.resolve();
        const tell = (event: PublishedEvent) => {
          told = told.then(async () => {
            try {
              if (await mayKnow(event)) write(`data: ${JSON.stringify(toChangeEvent(event))}\n\n`);
              if (event.type === 'session' && event.id === principal.sessionId) await beat();
            } catch (error) {
              request.log.warn({ err: error }, 'an event could not be checked, its reader is cut off');
              close();
            }
          });
        };
        // What was missed and what comes next, without a moment between them.
        const missed = missedMs === undefined ? [] : hub.listRecent(missedMs);
        if (missed) for (const event of missed) tell(event);
        else write(GAP);
        const unsubscribe = hub.subscribe(tell);
        const unsubscribeGap = hub.onGap(() => write(GAP));
        const heartbeat = setInterval(() => void beat(), heartbeatMs);

        function close(): void {
          if (open.delete(close)) count(principal.userId, -1);
          clearInterval(heartbeat);
          unsubscribe();
          unsubscribeGap();
          stream.end();
        }
        open.add(close);
        count(principal.userId, 1);
        stream.on('close', close);
        stream.on('error', close);
        return reply;
      },
    })(app, services);
  };
}

/**
 * Decides whether this person may receive an event; caches the person's permissions. They are read with the first
 * event: read before the stream listens, they could lack a project that has been made in between.
 */
function createFilter(access: AccessControl, principal: Principal): (event: PublishedEvent) => Promise<boolean> {
  let scopes: Promise<VisibleScopes> | undefined;
  let asOf = 0;
  return async (event) => {
    if (event.user_ids !== undefined) return event.user_ids.includes(principal.userId);
    const memberships = ['project', 'organization', 'invitation'].includes(event.type);
    if (!scopes || memberships || Date.now() - asOf > SCOPES_LIVE_MS) {
      scopes = access.listVisibleScopes(principal);
      asOf = Date.now();
    }
    const { organizationIds, projectIds } = await scopes;
    if (event.project_id !== null) return projectIds.includes(event.project_id);
    return event.organization_id !== null && organizationIds.includes(event.organization_id);
  };
}

/** The event without its list of recipients. */
function toChangeEvent({ user_ids: _userIds, ...event }: PublishedEvent): ChangeEvent {
  return event;
}
