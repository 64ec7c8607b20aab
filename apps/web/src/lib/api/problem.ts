import type { ProblemBody } from '@heterosis/contracts/problem';
import { PART_NOT_LOADED } from '../browser/page-parts.ts';

/**
 * A request that failed in a way that can be shown: a coded answer of the API, or the network that did not carry it.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly invalidParams: { name: string; reason: string }[];
  readonly details: Record<string, unknown>;

  constructor(body: Partial<ProblemBody> & { code: string; title: string; detail: string }, cause?: unknown) {
    super(body.detail, { cause });
    this.code = body.code;
    this.status = body.status ?? 0;
    this.title = body.title;
    this.detail = body.detail;
    this.requestId = body.request_id;
    this.invalidParams = body.invalid_params ?? [];
    this.details = body.details ?? {};
  }
}

/** Turns an answer that is not 2xx into a `Problem`, also when a proxy rather than our server wrote it. */
export async function problemFromResponse(response: Response): Promise<Problem> {
  const text = await response.text();
  const body = parseJson(text);
  if (isProblemBody(body)) return new Problem(body);
  return new Problem({
    code: 'client/unreadable-answer',
    status: response.status,
    title: 'The server gave an answer that could not be read',
    detail: `The server answered ${response.status} ${response.statusText}`.trim() + '. Please try again in a moment.',
  });
}

/** No answer came. The code is that of the sign-in service; it serves every call. */
const NO_ANSWER = 'auth/network-request-failed';

/** The request got no answer. */
export function networkProblem(cause: unknown): Problem {
  return new Problem(
    {
      code: NO_ANSWER,
      title: 'The server could not be reached',
      detail: 'The server could not be reached. Check your connection; nothing was changed.',
    },
    cause,
  );
}

/** Whether a request got no answer, for want of a connection. */
export const isNoAnswer = ({ code }: Problem): boolean => code === NO_ANSWER;

/** What to show for anything that was thrown. An unexpected error is a fault of ours and says so. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && error.name === PART_NOT_LOADED) return networkProblem(error);
  return new Problem(
    {
      code: 'client/unexpected',
      title: 'Something went wrong in this page',
      detail: `Something went wrong in this page: ${error instanceof Error ? error.message : String(error)}`,
    },
    error,
  );
}

/** True when there is nothing, or nothing any more, at an address of the API. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

/** True for an answer that another try may change: no connection, an overloaded or restarting server. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof Problem && (error.code === NO_ANSWER || error.status === 429 || error.status >= 502);
}

/**
 * Sorts the wrong fields of a request by form field: `body.email` lands on `email`.
 * `rest` holds those that no field of the form can show.
 */
export function splitInvalidParams(
  problem: Problem,
  fields: readonly string[],
): { byField: Record<string, string>; rest: { name: string; reason: string }[] } {
  const byField: Record<string, string> = {};
  const rest: { name: string; reason: string }[] = [];
  for (const param of problem.invalidParams) {
    const field = param.name.replace(/^(body|query|params)\./, '');
    const known = fields.find((name) => field === name || field.startsWith(`${name}.`));
    if (known === undefined) rest.push(param);
    else byField[known] ??= param.reason;
  }
  return { byField, rest };
}

/** What our server writes has these; a proxy's page has not. (No zod here: this loads with the first page.) */
function isProblemBody(body: unknown): body is ProblemBody {
  if (typeof body !== 'object' || body === null) return false;
  const { code, title, detail } = body as Partial<Record<keyof ProblemBody, unknown>>;
  return typeof code === 'string' && typeof title === 'string' && typeof detail === 'string';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
