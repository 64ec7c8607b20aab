import type { AnswerOf, Endpoint, RequestTo } from '@heterosis/contracts/endpoint';
import { requestOf } from '@heterosis/contracts/endpoint-request';
import type { ProblemBody } from '@heterosis/contracts/problem';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';

/** What an endpoint answered. */
export interface Answered<Data> {
  data: Data;
  /** Of the API, with the query: whoever reads it again gets the same. */
  address: string;
}

/** Calls an endpoint as the person, with the same token: guards, limits and audit are those of every client. */
export type CallAsPerson = <Row extends Endpoint>(
  endpoint: Row,
  sent: RequestTo<Row>,
) => Promise<Answered<AnswerOf<Row>>>;

/** The API refused a call. */
export class RefusedCall extends Error {
  readonly problem: ProblemBody;

  constructor(problem: ProblemBody) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const callerOf =
  (app: App, request: FastifyRequest): CallAsPerson =>
  async (endpoint, sent) => {
    const { authorization = '', host = '' } = request.headers;
    const { method, address, headers, body } = requestOf(endpoint, sent);
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api${address}`,
      headers: { ...headers, authorization, host },
      remoteAddress: request.callerIp,
      ...(typeof body === 'string' ? { payload: body } : {}),
    });
    if (answer.statusCode >= 400) throw new RefusedCall(answer.json());
    return { data: answer.json(), address: `/api${address}` };
  };
