import type { ClientMetadata } from 'oidc-provider';

/** A program that may ask for access. It runs on the device of a person, so it has no secret. */
interface App {
  /** Its `client_id`. */
  id: string;
  name: string;
  redirectUris: string[];
  /** It is made to write, and not only to read. */
  writes: boolean;
  /** It sends the ID token where others send the access token. */
  sendsIdToken?: true;
}

/** Where Field Book is called back, by response type; Intercross uses the same addresses. */
const PHENOAPPS = ['fieldbook://app/auth', 'https://phenoapps.org/field-book'];

export const APPS: readonly App[] = [
  { id: 'fieldbook', name: 'Field Book', redirectUris: PHENOAPPS, writes: true },
  { id: 'intercross', name: 'Intercross', redirectUris: [...PHENOAPPS, 'intercross://app/auth'], writes: true },
  // What httr2 makes of the address that QBMS gives depends on its version.
  {
    id: 'qbms',
    name: 'QBMS',
    redirectUris: ['http://localhost:1410', 'http://localhost:1410/'],
    writes: false,
    sendsIdToken: true,
  },
  // Of the addresses of a computer itself the port is free.
  {
    id: 'assistant',
    name: 'An assistant',
    redirectUris: [
      'http://localhost/callback',
      'http://127.0.0.1/callback',
      'http://127.0.0.1/',
      'https://claude.ai/api/mcp/auth_callback',
      'https://vscode.dev/redirect',
    ],
    writes: false,
  },
];

export const appOf = (id: unknown): App | undefined => APPS.find((app) => app.id === id);

export const nameOfApp = (id: unknown): string => appOf(id)?.name ?? String(id);

export const clientOf = ({ id, name, redirectUris }: App): ClientMetadata => ({
  client_id: id,
  client_name: name,
  redirect_uris: redirectUris,
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'id_token token'],
  id_token_signed_response_alg: 'ES256',
});
