export { authRoutes } from './auth.routes.ts';
export { authenticate, isStillSignedIn } from './authenticate.ts';
export { makeCustomToken } from './custom-token.ts';
export { tellOperatorJob } from './jobs.ts';
export { jwksRoute } from './jwks.route.ts';
export {
  createKeyRing,
  type KeyRing,
  listSigningKeyStates,
  rotateSigningKeys,
  type SigningKeyState,
  UnreadableKeyError,
} from './key-ring.ts';
export { oidcRoutes } from './oidc.routes.ts';
export { ownSessionRoutes } from './own-sessions.routes.ts';
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
export { proofRoutes, secondFactorRoutes } from './second-factor.routes.ts';
export { hasSecondFactor, removeSecondFactor } from './second-factor.service.ts';
export { hashSecret, makeSecret } from './secret-text.ts';
export { signInWithProvenEmail } from './sessions.service.ts';
export { requireEmailLinks, sendApprovalMail, sendRejectionMail, sendSignInLink } from './sign-in-link.service.ts';
export { sweepSignIns } from './sweep-sign-ins.ts';
export { tellOperatorRegistration } from './tell-operators.handler.ts';
export { CUSTOM_TOKEN_SECONDS } from './token-purposes.ts';
