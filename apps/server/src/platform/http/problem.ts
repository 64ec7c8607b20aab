import { PROBLEMS, type ProblemBody, type ProblemCode } from '@heterosis/contracts/problem';

export interface ProblemOptions {
  /** Structured data for the client, for example the list of dependants. */
  details?: Record<string, unknown>;
  invalidParams?: { name: string; reason: string }[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * An expected failure of a request. `detail` is a sentence for the user: what happened and what to do. Status and title
 * come from the table in `contracts/problem.ts`; the handler in `error-handler.ts` turns it into RFC 9457 and logs it.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly details: Record<string, unknown> | undefined;
  readonly invalidParams: { name: string; reason: string }[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.title = PROBLEMS[code].title;
    this.details = options.details;
    this.invalidParams = options.invalidParams;
    this.headers = {
      // RFC 9110: a 401 response says how to authenticate.
      ...(this.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...options.headers,
    };
  }

  /** The `application/problem+json` body. */
  toBody(instance: string, requestId: string): ProblemBody {
    return {
      type: `urn:heterosis:problem:${this.code}`,
      title: this.title,
      status: this.status,
      detail: this.message,
      instance,
      code: this.code,
      request_id: requestId,
      ...(this.invalidParams === undefined ? {} : { invalid_params: this.invalidParams }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/** 404 for what does not exist and for what the caller may not see: the two must be indistinguishable. */
export function notFound(what = 'This address'): Problem {
  return new Problem('request/not-found', `${what} does not exist, or you have no access to it.`);
}
