export { authRoutes } from './auth.routes.ts';
export { authenticate } from './authenticate.ts';
export { makeCustomToken } from './custom-token.ts';
export { createKeyRing, type KeyRing, rotateSigningKeys } from './key-ring.ts';
export { sendSignInLink } from './sign-in-link.service.ts';
