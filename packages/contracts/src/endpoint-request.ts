import type * as z from 'zod';
import type { Page } from './common.ts';
import type { AnswerOf, Endpoint, RequestTo } from './endpoint.ts';
import { addressOf } from './endpoint-address.ts';

type Value = string | number | boolean | null | undefined;
export type Query = Record<string, Value | readonly (string | number)[]>;

/** Query string with arrays as repeated keys; undefined and null are left out. */
export function toQueryString(query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(key, String(item));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** What is sent to an endpoint. */
export interface SentRequest {
  method: string;
  /** Below `/api`, with the query. */
  address: string;
  headers: Record<string, string>;
  body?: string | Blob | FormData;
}

/** The request to an endpoint; its answer is read with {@link answerOf}. */
export function requestOf(endpoint: Pick<Endpoint, 'method' | 'path'>, sent: object): SentRequest {
  const { query, body } = sent as { query?: Query; body?: unknown };
  const { method } = endpoint;
  const request = { method, address: addressOf(endpoint, sent) + toQueryString(query), headers: {} };
  // The writer of a form says its type, with the boundary.
  if (body instanceof FormData) return { ...request, body };
  if (body instanceof Blob) return { ...request, headers: { 'content-type': body.type }, body };
  const content = method === 'POST' ? (body ?? {}) : body;
  if (content === undefined) return request;
  return { ...request, headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) };
}

/** What an endpoint has answered: files as they come, the rest as JSON that is trusted to fit its schema. */
export async function answerOf<Row extends Endpoint>(
  { answer, media, fileName }: Row,
  response: Response,
): Promise<AnswerOf<Row>> {
  if (media !== undefined || fileName !== undefined) return response as AnswerOf<Row>;
  return (answer === undefined ? undefined : await response.json()) as AnswerOf<Row>;
}

/** An endpoint that answers page by page. */
export type ListEndpoint = Endpoint & { answer: z.ZodType<Page<unknown>> };
export type ItemOf<List extends ListEndpoint> = AnswerOf<List>['data'][number];

/** Calls an endpoint with the parameters of its path, its `query` and its `body`. */
export type CallEndpoint = <Row extends Endpoint>(endpoint: Row, sent: RequestTo<Row>) => Promise<AnswerOf<Row>>;

const LARGEST_PAGE = 500;

/** All rows of a list, page by page. */
export async function* rowsOf<List extends ListEndpoint>(
  call: CallEndpoint,
  endpoint: List,
  sent: RequestTo<List>,
): AsyncGenerator<ItemOf<List>> {
  const { limit = LARGEST_PAGE, ...filter } = (sent as { query?: { limit?: number } }).query ?? {};
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const part: RequestTo<List> = { ...sent, query: { ...filter, limit, cursor } };
    const page: Page<ItemOf<List>> = await call(endpoint, part);
    yield* page.data;
    cursor = page.next_cursor;
  }
}
