import { connectionsApi } from '@heterosis/contracts/endpoints/people/auth';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind, type Http } from '../../../../platform/http/bind.ts';
import { allowConnection, type Connecting, findConnectionRequest, refuseConnection } from './connections.service.ts';

/** A browser shows by its cookie that it began the request. */
const browserOf = ({ request, reply }: Http) => ({ request: request.raw, reply: reply.raw });

/** What a person answers an app that asks for access. */
export const connectionRoutes = (connecting: Connecting): FeatureRoutes =>
  bind(
    connectionsApi,
    {
      findConnectionRequest: (call, { uid }, http) => findConnectionRequest(call, { uid, browser: browserOf(http) }),
      allowConnection: (call, input, http) => allowConnection(call, { ...input, browser: browserOf(http) }),
      refuseConnection: (call, { uid }, http) => refuseConnection(call, { uid, browser: browserOf(http) }),
    },
    connecting,
  );
