import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { authApi } from '@heterosis/contracts/endpoints/people/auth';
import { type Command, defineCommand, inputError } from '../command.ts';
import { connect } from './connection.ts';
import { credentialsPath, saveCredentials, serverOf } from './credentials.ts';

export const loginCommand: Command = defineCommand({
  name: 'login',
  summary: 'keep an access token for the remote commands',
  description: [
    'Make an access token under My account in the application. It is asked for, or read from the standard input or from HETEROSIS_TOKEN, never from the arguments, which other users of the machine can see.',
    'The token is tried and then kept in heterosis/credentials.json of your configuration folder, readable by you only. Where nothing may be kept, set HETEROSIS_SERVER and HETEROSIS_TOKEN instead.',
  ],
  options: {
    server: {
      kind: 'text',
      required: true,
      placeholder: 'ADDRESS',
      help: 'Address of the server, as in the browser.',
    },
  },
  output: ['Whose token it is, what it may do and until when.'],
  examples: ['heterosis login --server https://heterosis.example.org'],
  async run(options, io) {
    const server = serverOf(options.server);
    if (!/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : ''))
      throw inputError('E-CLI-VALUE', `"${server}" is not an address.`, 'Write it as https://heterosis.example.org.');
    const token = (process.env['HETEROSIS_TOKEN'] || (await readToken())).trim();
    if (token === '') throw inputError('E-CLI-LOGIN', 'No access token was given.', 'Make one under My account.');
    const info = await connect({ server, token }, io.context.signal).call(authApi.readTokenInfo, {});
    saveCredentials({ server, token });
    const may = info.scopes.includes('write') ? 'read and change' : 'read';
    return {
      summary: { server, email: info.user.email, scopes: info.scopes, expires_at: info.expires_at },
      lines: [
        `${info.user.email} may ${may} on ${server} until ${info.expires_at.slice(0, 10)}`,
        `kept in ${credentialsPath()}`,
      ],
    };
  },
});

/** From the standard input; on a terminal without showing it. */
async function readToken(): Promise<string> {
  if (!process.stdin.isTTY) return await text(process.stdin);
  process.stderr.write('Access token: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
