import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** What the provider says of a person who signs in there under a name. */
export interface ProviderAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** By the name that is entered at the provider. */
  accounts: Map<string, ProviderAccount>;
  /** To which address of ours the provider leads back. */
  allowRedirect(uri: string): void;
  server: Server;
  close(): Promise<void>;
}

/** The program oidc-provider, a certified OpenID provider, with its own pages that take any password. */
export async function startOidcProvider(): Promise<TestProvider> {
  const accounts = new Map<string, ProviderAccount>();
  const redirects: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = await exportJWK(privateKey);
  const [clientId, clientSecret] = ['heterosis', 'a secret of the test that is long enough'];
  const build = (): Provider =>
    new Provider(issuer, {
      clients: [
        { client_id: clientId, client_secret: clientSecret, redirect_uris: redirects, response_types: ['code'] },
      ],
      jwks: { keys: [{ ...key, alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key of the test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      pkce: { required: () => true },
      findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts.get(id) }) }),
    });
  let provider: Provider | undefined;
  server.on('request', (request, response) => {
    if (provider === undefined) response.writeHead(503).end();
    else provider.callback()(request, response);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    server,
    allowRedirect(uri) {
      redirects.push(uri);
      provider = build();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
