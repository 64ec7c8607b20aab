import * as z from 'zod';
import { pathId, type Role } from './common.ts';

/**
 * Who may call an endpoint. `operator` is for sessions of operators; for all others the address does not exist.
 * `organization` and `project` name the lowest role that may; the address must then have the parameter
 * `organization_id` or `project_id`. Rules about single rows ("own entries only") are the service's.
 */
export type RouteGuard = 'public' | 'signed-in' | 'operator' | { organization: Role | 'GUEST' } | { project: Role };

/**
 * The personal access tokens that may call an endpoint. `own-projects`: all; one that is limited to projects reaches
 * just those (the default of endpoints of a project). `unlimited`: only those that are not limited (the default
 * elsewhere). `none`: a person has to be signed in.
 */
export type AccessTokens = 'own-projects' | 'unlimited' | 'none';

/** What may be said of an endpoint besides what it takes and answers. */
export interface EndpointRules {
  /** true: a POST that only reads, so a read-only access token may call it. false: a GET that changes something. */
  readOnly?: boolean;
  /** It changes something and works all the same while the organization is not paid for. */
  worksUnpaid?: boolean;
  /** Members of a project who may only read may call it all the same; the service checks what it is about. */
  readersMayCall?: boolean;
  /** It reads in a project, and guests of the demo may not: it is about people, or about the caller's own things. */
  closedToGuests?: boolean;
  accessTokens?: AccessTokens;
  /** The person has to have signed in, or confirmed again who he or she is, a few minutes ago. */
  needsProof?: boolean;
  /** It serves also who has not set up yet the second factor that an organization demands. */
  beforeSecondFactor?: boolean;
  /** The answer shows a secret that is not stored anywhere, so it is not kept for a repeated request. */
  hasSecretAnswer?: boolean;
  /** The endpoint validates its query itself (signed URLs). */
  anyQuery?: boolean;
  /** Content types of an answer that is not JSON: `answer` is then absent. */
  media?: readonly string[];
  /**
   * All rows of the list also come as one file, in the first of {@link TABLE_TYPES} that a request accepts. It takes
   * `limit` and `cursor` as any list.
   */
  table?: true;
  /** Content types of a body that is a file. */
  takes?: readonly string[];
  /** Fields of a form that comes with a file. */
  form?: z.ZodObject;
}

interface EndpointRow extends EndpointRules {
  summary: string;
  description?: string;
  /** Parameters of the path that are not ids. */
  params?: z.ZodRawShape;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of the answer in JSON. Without it and without `media` the answer is empty (204). */
  answer?: z.ZodType;
  /** The answer in JSON is offered for saving under this name. */
  fileName?: string;
  /** Of the answer; 200 with content and 204 without, unless it says otherwise. */
  status?: 200 | 201 | 202 | 302;
  /** It reads whole files: callers may do it {@link COSTLY_PER_MINUTE} times a minute. */
  costly?: true;
  /** Calls a minute and address, where the limit of the installation does not fit. */
  perMinute?: number;
  /** A HEAD request would make the whole answer only to discard it. */
  head?: false;
}

/** Apache Parquet, and JSON a row a line. */
export const TABLE_TYPES = ['application/vnd.apache.parquet', 'application/x-ndjson'] as const;
export type TableType = (typeof TABLE_TYPES)[number];

/** More than manual work needs, few enough that one client cannot occupy the server. */
export const COSTLY_PER_MINUTE = 60;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An operation of the API, said once: the server binds a function to it, clients call through it. */
export interface Endpoint extends EndpointRow {
  method: Method;
  /** Below `/api`, with parameters as in `/projects/:project_id`. */
  path: string;
  guard: RouteGuard;
}

/** The endpoints of a feature, in the order of the API page. Each is named as the function that answers it. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

const declare =
  <const Verb extends Method>(method: Verb) =>
  <const Path extends string, const Guard extends RouteGuard, const Row extends EndpointRow>(
    path: Path,
    guard: Guard,
    row: Row,
  ) => ({ ...row, method, path, guard });

export const get = declare('GET');
export const post = declare('POST');
export const put = declare('PUT');
export const del = declare('DELETE');

/** Guard of what every member of a project may do. */
export const PROJECT_MEMBER = { project: 'MEMBER' } as const;

/** Names of the parameters of a path. */
export type ParametersIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Shape<Row> = Row extends { params: infer Own extends z.ZodRawShape } ? Own : Record<never, never>;
type Named<Row extends Endpoint> = ParametersIn<Row['path']>;
/** What the guard has looked up already. */
type Guarded<Guard> = Guard extends { project: string }
  ? 'project_id'
  : Guard extends { organization: string }
    ? 'organization_id'
    : never;

/**
 * What the function of an endpoint is given: parameters of the path besides that of the guard, `query` and `body`, as
 * the schemas read them; a file as the parser of its type reads it.
 */
export type InputOf<Row extends Endpoint> = {
  [Name in Exclude<Named<Row>, Guarded<Row['guard']>>]: Name extends keyof Shape<Row>
    ? z.output<Shape<Row>[Name] & z.ZodType>
    : string;
} & (Row extends { query: infer Query extends z.ZodType } ? { query: z.output<Query> } : unknown) &
  (Row extends { body: infer Body extends z.ZodType }
    ? { body: z.output<Body> }
    : Row extends { takes: readonly string[] }
      ? { body: unknown }
      : unknown);

type Loosely<Value> = Value extends 'true' | 'false'
  ? Value | boolean
  : Value extends readonly (infer Item)[]
    ? readonly Item[]
    : Value;
/** Parameters that are null or undefined are not sent; lists are sent as several parameters. */
type SentQuery<Query> = { [Name in keyof Query]?: Loosely<Query[Name]> | null | undefined };

/** What a caller of an endpoint gives. */
export type RequestTo<Row extends Endpoint> = { [Name in Named<Row>]: string | number } & (Row extends {
  query: infer Query extends z.ZodType;
}
  ? Record<never, never> extends z.input<Query>
    ? { query?: SentQuery<z.input<Query>> | undefined }
    : { query: SentQuery<z.input<Query>> }
  : unknown) &
  (Row extends { body: infer Body extends z.ZodType }
    ? { body: z.input<Body> }
    : Row extends { takes: readonly string[] }
      ? { body: Blob }
      : Row extends { form: z.ZodObject }
        ? { body: FormData }
        : unknown);

/** What a caller of an endpoint is given: its answer as the schema reads it; files as they come. */
export type AnswerOf<Row extends Endpoint> = Row extends { fileName: string } | { media: readonly string[] }
  ? Response
  : Row extends { answer: infer Answer extends z.ZodType }
    ? z.output<Answer>
    : undefined;

/** The schema of the parameters in the path of an endpoint; undefined when it has none. */
export function parametersOf({ path, params = {} }: Pick<Endpoint, 'path' | 'params'>): z.ZodObject | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  return z.object(Object.fromEntries(names.map((name) => [name, params[name] ?? pathId])));
}
