import { page, pageQuery } from '@heterosis/contracts/common';
import { invitation } from '@heterosis/contracts/invitations';
import { requirePrincipal } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { listReceivedInvitations } from './invitations.queries.ts';

export const invitationRoutes: FeatureRoutes = (app, { db }) => {
  app.get(
    '/invitations',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Invitations that I have received',
        querystring: pageQuery,
        response: { 200: page(invitation) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listReceivedInvitations(db, requirePrincipal(request).userId, {
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
};
