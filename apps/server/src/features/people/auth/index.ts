export { authRoutes } from './auth.routes.ts';
export { makeCustomToken } from './custom-token.ts';
export { authenticateGuest } from './guests/authenticate-guest.ts';
export { connectionRoutes } from './provider/connections.routes.ts';
export { openidProviderRoutes } from './provider/openid-provider.routes.ts';
export { createProviders } from './provider/openid-provider.ts';
export {
  approveRegistrations,
  type Decision,
  type Operator,
  rejectRegistrations,
  UndecidableRegistrationsError,
} from './registrations.service.ts';
export { proofRoutes, secondFactorRoutes } from './second-factor/second-factor.routes.ts';
export { hasSecondFactor, takeSecondFactor } from './second-factor/second-factor.service.ts';
export { hashSecret, makeSecret } from './secret-text.ts';
export { authenticate, isStillSignedIn } from './sessions/authenticate.ts';
export { jwksRoutes } from './sessions/jwks.routes.ts';
export {
  createKeyRing,
  type KeyRing,
  listSigningKeyStates,
  rotateSigningKeys,
  type SigningKeyState,
  UnreadableKeyError,
} from './sessions/key-ring.ts';
export { ownSessionRoutes } from './sessions/own-sessions.routes.ts';
export { signInWithProvenEmail } from './sessions/sessions.service.ts';
export { CUSTOM_TOKEN_SECONDS } from './sessions/token-purposes.ts';
export { oidcRoutes } from './sign-in/oidc.routes.ts';
export {
  requireEmailLinks,
  sendApprovalMail,
  sendRejectionMail,
  sendSignInLink,
} from './sign-in/sign-in-link.service.ts';
export { sweepSignIns } from './sign-in/sweep-sign-ins.ts';
export { tellOperatorRegistration } from './tell-operators.handler.ts';
