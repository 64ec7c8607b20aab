import { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { AccessControl } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as accessTokens from './access-tokens.service.ts';
import * as guests from './guests/guests.service.ts';
import * as outbox from './outbox.service.ts';
import * as publicConfig from './public-config.service.ts';
import type { KeyRing } from './sessions/key-ring.ts';
import * as sessions from './sessions/sessions.service.ts';
import { createFirebaseVerifier } from './sign-in/firebase-tokens.ts';
import * as links from './sign-in/sign-in-link.service.ts';

type AuthOptions = { keys: KeyRing } & Pick<AccessControl, 'findProjectAccess'>;

/** Sign-in, sessions and personal access tokens. */
export const authRoutes =
  (options: AuthOptions): FeatureRoutes =>
  (app, services) => {
    const firebase = createFirebaseVerifier(services.config.signIn.firebase);
    const functions = { ...publicConfig, ...links, ...guests, ...sessions, ...accessTokens, ...outbox };
    return bind(authApi, functions, { ...options, firebase })(app, services);
  };
