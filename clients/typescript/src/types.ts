import type { paths } from './api.gen.ts';

/** What a GET answers with status 200. */
type Answered<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;

interface Page {
  data: unknown[];
  next_cursor: string | null;
}

/** Addresses of lists that come page by page. */
export type ListPath = {
  [Path in keyof paths]: [Answered<Path>] extends [never] ? never : Answered<Path> extends Page ? Path : never;
}[keyof paths];

export type RowOf<Path extends ListPath> = Answered<Path> extends { data: (infer Row)[] } ? Row : never;

/** What the address and the query of a list take. */
export type ListParameters<Path extends ListPath> = paths[Path]['get'] extends {
  parameters: { path?: infer Segments; query?: infer Query };
}
  ? { path: Segments; query?: Query }
  : never;

/** What all runs have: one state, or one for each trait. */
export interface AnyRun {
  name: string;
  status: string | Record<string, string>;
  error_extra?: Failure | null;
  error_extras?: Record<string, Failure | null>;
}

interface Failure {
  message: string;
  action?: string | null;
}

type RunAddress<Kind extends string> = `/api/projects/{project_id}/${Kind}/{id}`;

/** Kinds of run, by their part of the address. */
export type RunPath = {
  [Path in keyof paths]: Path extends `${RunAddress<infer Kind>}/bundle` ? Kind : never;
}[keyof paths];

/** A run of a kind as its address answers it. */
export type RunOf<Kind extends RunPath> = Answered<RunAddress<Kind> & keyof paths> & AnyRun;

export type ProjectFile = Answered<'/api/projects/{project_id}/files/{file_id}'>;
export type FileType = NonNullable<ProjectFile['file_type']>;
