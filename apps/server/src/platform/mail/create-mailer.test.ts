import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database/testing.ts';
import { createMailer } from './create-mailer.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ID = '01890000-0000-7000-8000-000000000001';
const MAIL = {
  to: 'ada@example.org',
  subject: 'Sign in',
  text: 'Open:\nhttp://h/signin?code=1\n',
  link: 'http://h/signin?code=1',
};

test('the outbox stores the mail, one with an id once, and prints its link', async () => {
  const lines: string[] = [];
  const config = { mail: { kind: 'outbox' as const, key: 'k', from: 'h@example.org' } };
  const mailer = createMailer({ config, db: database.db, print: (line) => lines.push(line) });
  await mailer.send(MAIL);
  await mailer.send({ ...MAIL, id: ID, to: 'once@example.org' });
  await mailer.send({ ...MAIL, id: ID, to: 'once@example.org' });
  const rows = await database.db
    .selectFrom('mail_outbox')
    .select(['to', 'subject', 'text', 'link'])
    .orderBy('created_at')
    .execute();
  expect(rows).toEqual([MAIL, { ...MAIL, to: 'once@example.org' }]);
  expect(lines.join('\n')).toContain(MAIL.link);
  expect(lines.join('\n')).toContain(MAIL.to);
});

test('a mail server gets the mail from the configured sender', async () => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let mail = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        mail += chunk;
      });
      stream.on('end', () => {
        received.push(mail);
        done();
      });
    },
  });
  const port = await listen(server);
  const config = {
    mail: { kind: 'smtp' as const, url: `smtp://127.0.0.1:${port}`, from: 'Heterosis <h@example.org>' },
  };
  const mailer = createMailer({ config, db: database.db, print: () => {} });
  try {
    await mailer.send({ ...MAIL, id: ID, subject: 'Überschrift' });
  } finally {
    await mailer.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^From: Heterosis <h@example\.org>/m);
  expect(received[0]).toContain(`Message-ID: <${ID}@example.org>`);
  expect(received[0]).toMatch(/^To: ada@example\.org/m);
  expect(received[0]).toMatch(/signin\?code=(3D)?1/);
});

test('a mail server that refuses or is not there makes the sending fail', async () => {
  const config = { mail: { kind: 'smtp' as const, url: 'smtp://127.0.0.1:1', from: 'h@example.org' } };
  const mailer = createMailer({ config, db: database.db, print: () => {} });
  await expect(mailer.send(MAIL)).rejects.toThrow();
  await mailer.close();
});

function listen(server: SMTPServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/** A mail server that greets in its own way. */
async function hostileServer(greet: (socket: Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    greet(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a mail server that drips is given up, so that other mails do not wait for it', async () => {
  const { url, close } = await hostileServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  const config = { mail: { kind: 'smtp' as const, url, from: 'h@example.org' } };
  const mailer = createMailer({ config, db: database.db, print: () => {}, withinMs: 200 });
  await expect(mailer.send({ ...MAIL, to: 'drips@example.org' })).rejects.toThrow('did not take the mail within 0.2 s');
  const { state } = await database.db
    .selectFrom('mail_outbox')
    .select('state')
    .where('to', '=', 'drips@example.org')
    .executeTakeFirstOrThrow();
  expect(state).toBe('FAILED');
  await mailer.close();
  close();
});

test.each([
  ['a line', 'x'.repeat(1 << 16)],
  ['lines', `220-${'wait'.repeat(100)}\r\n`.repeat(100)],
])('a mail server whose reply is %s without end is not read on', async (_what, piece) => {
  let sent = 0;
  const { url, close } = await hostileServer((socket) => {
    const more = (): void => {
      do sent += piece.length;
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  });
  const config = { mail: { kind: 'smtp' as const, url, from: 'h@example.org' } };
  const mailer = createMailer({ config, db: database.db, print: () => {} });
  await expect(mailer.send(MAIL)).rejects.toThrow('exceeds maximum allowed size');
  // What was under way.
  expect(sent).toBeLessThan(32 << 20);
  await mailer.close();
  close();
});
