import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerSlowSenders } from './slow-senders.ts';

test('who sends a body drop by drop is cut off; uploads and whole bodies are not', async () => {
  const app = Fastify();
  registerSlowSenders(app, 300);
  app.post('/api/things', async (request) => request.body);
  app.post('/api/storage/upload', async (request) => request.body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const begin = (path: string) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a"`,
    );
    return { socket, answer: () => answer };
  };
  try {
    const slow = begin('/api/things');
    const upload = begin('/api/storage/upload');
    await once(slow.socket, 'close');
    upload.socket.write(':1}');
    await once(upload.socket, 'close');
    expect(slow.answer()).not.toContain('200 OK');
    expect(upload.answer()).toContain('200 OK');
    const whole = await fetch(`http://127.0.0.1:${port}/api/things`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await whole.json()).toEqual({ a: 1 });
  } finally {
    await app.close();
  }
});
