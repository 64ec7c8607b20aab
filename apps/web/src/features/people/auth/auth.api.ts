import { authApi } from '@heterosis/contracts/endpoints/people/auth';
import { invitationsApi } from '@heterosis/contracts/endpoints/people/invitations';
import type { TokenResult } from '@heterosis/contracts/people/auth';
import { call } from '../../../lib/api/api-client.ts';
import { configQuery } from '../../../lib/api/config-query.ts';
import { send } from '../../../lib/api/http.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { session } from '../../../lib/session/browser-session.ts';
import type { FirebaseSettings } from './firebase.ts';

/** The address as it is sent, or undefined when it cannot be one. */
export async function checkEmail(text: string): Promise<string | undefined> {
  // The schemas are heavier than the whole sign-in page: they come when it needs them.
  return (await import('@heterosis/contracts/people/auth')).email.safeParse(text).data;
}

export async function requestSignInLink(email: string, returnTo: string | undefined): Promise<void> {
  const { status } = await call(authApi.requestSignInLink, { body: { email, return_to: returnTo } });
  if (status === 'provider') await mailLinkByFirebase(email, returnTo);
}

export async function requestRegistration(
  email: string,
  returnTo: string | undefined,
): Promise<'requested' | 'approved'> {
  const { status } = await call(authApi.signUp, { body: { email, return_to: returnTo } });
  if (status === 'approved') await mailLinkByFirebase(email, returnTo);
  return status;
}

/** For an address that a sign-in service has verified. */
export async function requestProvenAccount(proof: string): Promise<void> {
  await call(authApi.signUp, { body: { proof } });
}

/** Where Firebase Authentication mails the links. */
async function mailLinkByFirebase(email: string, returnTo: string | undefined): Promise<void> {
  const settings = await readFirebaseSettings();
  if (settings === null) return;
  const { mailFirebaseLink } = await import('./firebase.ts');
  await mailFirebaseLink(settings, email, returnTo);
}

const readFirebaseSettings = async (): Promise<FirebaseSettings | null> =>
  (await queryClient.ensureQueryData(configQuery())).sign_in.firebase;

export async function signInByFirebaseLink(email: string, link: string): Promise<void> {
  const settings = await readFirebaseSettings();
  if (settings === null) throw new Error('Firebase Authentication is not used here');
  const { idTokenOfLink } = await import('./firebase.ts');
  await session.signIn({ grant_type: 'firebase', id_token: await idTokenOfLink(settings, email, link) });
}

/** Ours are for ourselves; any other is one of the hosted service. */
const OWN_AUDIENCE = 'heterosis:custom-token';

export async function signInByCustomToken(token: string): Promise<void> {
  const settings = await readFirebaseSettings();
  if (settings === null || audienceOf(token) === OWN_AUDIENCE)
    return session.signIn({ grant_type: 'custom_token', token });
  const { idTokenOfCustomToken } = await import('./firebase.ts');
  return session.signIn({ grant_type: 'firebase', id_token: await idTokenOfCustomToken(settings, token) });
}

function audienceOf(token: string): unknown {
  try {
    const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { aud?: unknown }).aud;
  } catch {
    return undefined;
  }
}

/**
 * Signs in by the code of an invitation's mail. Whoever was signed in before is signed out once the code has proved
 * good.
 */
export async function signInByInvitation(code: string): Promise<void> {
  // Without the token of the present session, which must not matter.
  const response = await send(`/api${invitationsApi.signInByInvitation.path}`, {
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
