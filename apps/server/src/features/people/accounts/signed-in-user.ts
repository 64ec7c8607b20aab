import type { SignedInUser } from '@heterosis/contracts/people/auth';
import type { User } from './users.queries.ts';

/** The signed-in user, as the token endpoint returns it. */
export function toSignedInUser(user: User): SignedInUser {
  return {
    uid: user.id,
    displayName: user.name,
    photoURL: user.photo_url,
    email: user.email,
    emailVerified: user.email_verified,
    phoneNumber: null,
    tenantId: null,
    providerData: [{ providerId: 'email', uid: user.email, email: user.email }],
  };
}
