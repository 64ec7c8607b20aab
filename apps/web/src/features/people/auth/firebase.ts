import type { Auth, UserCredential } from '@firebase/auth';
import type { publicConfig } from '@heterosis/contracts/people/auth';
import i18next, { t } from 'i18next';
import type * as z from 'zod';
import { Problem } from '../../../lib/api/problem.ts';

export type FirebaseSettings = NonNullable<z.infer<typeof publicConfig>['sign_in']['firebase']>;

let opened: Promise<Auth> | undefined;

/** The client of Firebase Authentication. It comes when it is needed, and keeps nothing: our own session goes on. */
function openAuth(settings: FirebaseSettings): Promise<Auth> {
  opened ??= (async () => {
    const [{ initializeApp }, { connectAuthEmulator, initializeAuth, inMemoryPersistence }] = await Promise.all([
      import('@firebase/app'),
      import('@firebase/auth'),
    ]);
    const { api_key: apiKey, auth_domain: authDomain, project_id: projectId, emulator_host: emulator } = settings;
    // Without the parts for pop-ups, which load scripts of Google.
    const auth = initializeAuth(initializeApp({ apiKey, authDomain, projectId }), { persistence: inMemoryPersistence });
    if (emulator !== null) connectAuthEmulator(auth, `http://${emulator}`, { disableWarnings: true });
    return auth;
  })();
  return opened;
}

/** Asks Firebase to mail a link to an address, which leads back to our sign-in page. */
export async function mailFirebaseLink(
  settings: FirebaseSettings,
  email: string,
  returnTo: string | undefined,
): Promise<void> {
  const { sendSignInLinkToEmail } = await import('@firebase/auth');
  const url = new URL('/signin', window.location.origin);
  if (returnTo !== undefined) url.searchParams.set('returnTo', returnTo);
  const auth = await openAuth(settings);
  await asOurs(() => sendSignInLinkToEmail(auth, email, { url: url.href, handleCodeInApp: true }));
}

/** The ID token of whoever opened a link that Firebase has mailed. */
export async function idTokenOfLink(settings: FirebaseSettings, email: string, link: string): Promise<string> {
  const { signInWithEmailLink } = await import('@firebase/auth');
  const auth = await openAuth(settings);
  return idTokenOf(() => signInWithEmailLink(auth, email, link));
}

/** The ID token of whom a custom token of the project's own backend was made for. */
export async function idTokenOfCustomToken(settings: FirebaseSettings, token: string): Promise<string> {
  const { signInWithCustomToken } = await import('@firebase/auth');
  const auth = await openAuth(settings);
  return idTokenOf(() => signInWithCustomToken(auth, token));
}

async function idTokenOf(signIn: () => Promise<UserCredential>): Promise<string> {
  return asOurs(async () => (await signIn()).user.getIdToken());
}

/** Codes that only a wrong setting explains. */
const WRONG_SETTINGS = [
  'auth/invalid-api-key',
  'auth/app-deleted',
  'auth/argument-error',
  'auth/invalid-continue-uri',
  'auth/tenant-id-mismatch',
];

/** What Firebase's own messages say is for programmers. */
function sayFirebase(code: string): string {
  if (WRONG_SETTINGS.includes(code) || code.startsWith('auth/api-key-not-valid'))
    return t('signIn.firebase.configuration');
  const key = `signIn.firebase.${code.slice('auth/'.length)}`;
  return i18next.exists(key) ? t(key as 'signIn.firebase.other') : t('signIn.firebase.other');
}

/** Firebase's codes are those of our problems: `auth/…`. */
async function asOurs<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('auth/')) throw error;
    throw new Problem({ code, status: 400, title: 'Firebase Authentication', detail: sayFirebase(code) }, error);
  }
}
