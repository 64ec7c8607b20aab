import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerCallerIp } from './caller-ip.ts';

/** What is known of a caller whose connection is closed before or after the address was noted. */
async function callerWhoHangsUp(when: 'before' | 'after'): Promise<{ ip: string | undefined; callerIp: string }> {
  const app = Fastify();
  const hangUp = () =>
    app.addHook('onRequest', (request, _reply, done) => {
      request.raw.socket.destroy();
      setImmediate(done);
    });
  if (when === 'before') hangUp();
  registerCallerIp(app);
  if (when === 'after') hangUp();
  const known = new Promise<{ ip: string | undefined; callerIp: string }>((resolve) => {
    app.get('/', async ({ ip, callerIp }) => resolve({ ip, callerIp }));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  try {
    return await known;
  } finally {
    socket.destroy();
    await app.close();
  }
}

test('a caller who has hung up keeps the address that was noted, and has a name where there was none', async () => {
  expect(await callerWhoHangsUp('before')).toEqual({ ip: undefined, callerIp: 'gone' });
  expect((await callerWhoHangsUp('after')).callerIp).toBe('127.0.0.1');
});
