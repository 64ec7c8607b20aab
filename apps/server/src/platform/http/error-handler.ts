import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { hasMetAnother, isDatabaseUnavailable } from '../database/database.ts';
import { storageFull } from '../object-storage/disk-reserve.ts';
import {
  ObjectDamagedError,
  ObjectNotFoundError,
  ObjectStorageUnavailableError,
} from '../object-storage/object-storage.ts';
import { plainReason } from './plain-reasons.ts';
import { notFound, Problem } from './problem.ts';

/** Turns every failure into problem+json and logs it once: warn for 4xx, error for 5xx. */
export function registerErrorHandler(app: FastifyInstance): void {
  z.config({ customError: plainReason });
  app.setErrorHandler<FastifyError>((error, request, reply) => sendProblem(toProblem(error), error, request, reply));
}

function logProblem(problem: Problem, error: unknown, request: FastifyRequest): void {
  const line = { problem: problem.code, status: problem.status, user_id: request.principal?.userId };
  if (problem.status >= 500) request.log.error({ ...line, err: error }, problem.message);
  else request.log.warn(line, problem.message);
}

export function sendProblem(
  problem: Problem,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const text = answerFailure(problem, error, request, reply);
  return reply.serializer((body: string) => body).send(text);
}

/** Makes the answer one that says the problem; returns its body. */
export function answerFailure(problem: Problem, error: unknown, request: FastifyRequest, reply: FastifyReply): string {
  // Addresses are logged and echoed without their query, which may hold a sign-in code or a signature.
  const instance = request.url.split('?', 1)[0] ?? '/';
  logProblem(problem, error, request);
  reply
    .status(problem.status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    // What is refused before there is a route has no other headers.
    .header('x-content-type-options', 'nosniff')
    .type('application/problem+json')
    .removeHeader('content-length');
  return JSON.stringify(problem.toBody(instance, request.id));
}

/** The same as plain text, which clients of BrAPI show as it is; pages of other sites may read it. */
export function sendPlainProblem(
  problem: Problem,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  logProblem(problem, error, request);
  return reply
    .status(problem.status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .header('access-control-allow-origin', '*')
    .type('text/plain; charset=utf-8')
    .send(problem.message);
}

/** A failure as what the caller may know of it. */
export function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationProblem(error);
  if (error instanceof ObjectStorageUnavailableError) return unavailable('storage', error);
  if (isDatabaseUnavailable(error)) return unavailable('database', error);
  if (hasMetAnother(error))
    return new Problem(
      'request/conflict',
      'Somebody changed or deleted something of this at the same moment. Nothing was saved: look again, and repeat it.',
      { cause: error },
    );
  if (['ENOSPC', 'EDQUOT', '53100'].includes(error.code)) return storageFull(error);
  if (error.code === 'EIO') return unavailable('storage', error);
  if (error instanceof ObjectNotFoundError || error instanceof ObjectDamagedError)
    return new Problem(
      'server/stored-part-lost',
      'A stored part of this is missing or damaged. Of a file: choose "Check again" on its page. Of a run: start it again.',
      { cause: error },
    );
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('request/too-large', 'The request body is too large.');
  if (error.statusCode === 429)
    return new Problem('request/too-many', 'Too many requests came from your address. Wait a minute and try again.');
  // No id is so long.
  if (error.statusCode === 404 || error.code === 'FST_ERR_MAX_PARAM_LENGTH') return notFound();
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem('request/invalid', error.message);
  return new Problem(
    'server/internal',
    'Something went wrong on our side. Try again; if it stays, tell the operator the request id.',
    { cause: error },
  );
}

const unavailable = (what: string, cause: Error): Problem =>
  new Problem('server/unavailable', `The ${what} cannot be reached at the moment. Try again in a few seconds.`, {
    headers: { 'retry-after': '5' },
    cause,
  });

interface ZodIssue {
  instancePath: string;
  message?: string;
  params?: { keys?: string[] };
}

function validationProblem(error: { validation: unknown; validationContext?: string | undefined }): Problem {
  // A malformed id in the path answers like an unknown one.
  if (error.validationContext === 'params') return notFound();
  const place = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body');
  const invalidParams = (error.validation as ZodIssue[]).flatMap((issue) => {
    const path = [place, ...issue.instancePath.split('/').filter((part) => part !== '')].join('.');
    const unknownKeys = issue.params?.keys;
    if (unknownKeys !== undefined)
      return unknownKeys.map((key) => ({
        name: `${path}.${key}`,
        reason: place === 'query' ? 'There is no such parameter' : 'There is no such field',
      }));
    return [{ name: path, reason: issue.message ?? 'is not valid' }];
  });
  const first = invalidParams[0];
  return new Problem(
    'request/invalid',
    first === undefined ? 'The request is not valid.' : `${first.name}: ${first.reason}`,
    {
      invalidParams,
    },
  );
}
