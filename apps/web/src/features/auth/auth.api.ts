import type { TokenResult } from '@heterosis/contracts/auth';
import { api } from '../../lib/api-client.ts';
import { session } from '../../lib/browser-session.ts';
import { send } from '../../lib/http.ts';

/** The schemas are heavier than the whole sign-in page: they come when it needs them. */
const loadContracts = () => import('@heterosis/contracts/auth');

/** The address as it is sent, or undefined when it cannot be one. */
export async function checkEmail(text: string): Promise<string | undefined> {
  return (await loadContracts()).email.safeParse(text).data;
}

export async function requestSignInLink(email: string, returnTo: string | undefined): Promise<void> {
  const { signInLinkResult } = await loadContracts();
  await api.post(signInLinkResult, '/auth/link', { email, ...(returnTo === undefined ? {} : { return_to: returnTo }) });
}

export async function requestRegistration(email: string): Promise<'requested' | 'approved'> {
  const { signupResult } = await loadContracts();
  return (await api.post(signupResult, '/signup', { email })).status;
}

/**
 * Signs in by the code of an invitation's mail. Whoever was signed in before is signed out once the code has proved
 * good.
 */
export async function signInByInvitation(code: string): Promise<void> {
  // Without the token of the present session, which must not matter.
  const response = await send('/api/invitations/sign_in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const tokens = (await response.json()) as TokenResult;
  try {
    if (session.getState().status === 'signed-in') await session.signOut();
  } finally {
    session.enter(tokens);
  }
}
