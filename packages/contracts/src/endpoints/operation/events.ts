import { type Endpoints, get } from '../../endpoint.ts';
import { listenQuery } from '../../events.ts';

export const eventsApi = {
  listen: get('/events', 'signed-in', {
    summary: 'Changes of what the caller may see, as server-sent events',
    description:
      'Every message is `data: {"type", "id", "project_id", "organization_id", "progress"?, "runs_before"?}`. After `event: gap` events may have been missed: load again what is shown. A person may have 24 streams open at a time.',
    query: listenQuery,
    media: ['text/event-stream'],
  }),
} as const satisfies Endpoints;
