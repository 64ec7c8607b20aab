import { isIP } from 'node:net';

/** An OpenID Connect provider that signs people in. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the button says it signs in with. */
  name: string;
}

/** A project of Firebase Authentication, which then mails the links. */
export interface FirebaseConfig {
  projectId: string;
  apiKey: string;
  authDomain: string;
  /** `host:port` of the Auth emulator; undefined for Google's service. */
  emulatorHost: string | undefined;
}

export interface SignInConfig {
  /** Off: only the provider says who somebody is. */
  emailLinks: boolean;
  oidc: OidcConfig | null;
  firebase: FirebaseConfig | null;
}

/** Answers of a provider prove who somebody is, so they may not pass a network in the clear. */
export function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  if (search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}
