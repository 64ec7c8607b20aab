import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { uuidv7 } from 'uuidv7';
import type { Logger } from '../logging/logger.ts';
import { sendProblem, toProblem } from './error-handler.ts';
import { Problem } from './problem.ts';

/**
 * What Node.js and Fastify refuse before there is a route, as the same problem+json as everything else. Node.js leaves
 * the check of `Host` to {@link registerHost}, because it would answer without a body.
 */
export const outsideRoutes = (logger: Logger) =>
  ({
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendProblem(toProblem(error), error, request, reply),
    clientErrorHandler(error, socket) {
      // Nobody is left to be told.
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
      const problem = refusalOf(error.code);
      const id = uuidv7();
      logger.warn({ err: error, reqId: id, problem: problem.code, status: problem.status }, problem.message);
      answer(socket, problem, id);
      socket.destroy(error);
    },
  }) satisfies FastifyServerOptions & { http: object };

function refusalOf(code: string): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request/timeout', 'The request took too long to arrive. Send it again.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('request/headers-too-large', 'The headers of the request, or its address, are too long.');
  return new Problem('request/invalid', 'This is no valid HTTP request.');
}

function answer(socket: Socket, problem: Problem, id: string): void {
  const body = JSON.stringify(problem.toBody('/', id));
  const headers = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** RFC 9112 §3.2: 400 for a request of HTTP/1.1 without `Host`, and for every request with more than one. */
export function registerHost(app: FastifyInstance): void {
  // RFC 9110 §10.1.1: an expectation that is not known may be passed over. Node.js would refuse it without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async ({ raw }) => {
    const count = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
    if (count === 1 || (count === 0 && raw.httpVersion !== '1.1')) return;
    throw new Problem('request/invalid', 'The request must have the header Host once.');
  });
}
