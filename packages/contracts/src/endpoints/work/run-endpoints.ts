import type * as z from 'zod';
import { page } from '../../common.ts';
import { del, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import { RUN_KINDS, type RunKind } from '../../work/run-kinds.ts';
import { citation, reportQuery, updateRunBody } from '../../work/runs.ts';

interface RunSchemas {
  /** Of a run in a list, and of one run. */
  item: z.ZodType;
  detail: z.ZodType;
  /** `name` and `{role}_id` of each input are filters of the list. */
  list: { summary: string; query: z.ZodType };
  create: { summary: string; body: z.ZodType };
}

/** The endpoints of a single run. */
export function singleRunEndpoints<const Kind extends RunKind, Detail extends z.ZodType>(kind: Kind, answer: Detail) {
  const { noun, path } = RUN_KINDS[kind];
  const one = `/projects/:project_id/${path as (typeof RUN_KINDS)[Kind]['path']}/:id` as const;
  return {
    readRun: get(one, PROJECT_MEMBER, { summary: `One ${noun}`, answer }),
    updateRun: put(one, PROJECT_MEMBER, { summary: `Rename or describe a ${noun}`, body: updateRunBody, answer }),
    deleteRun: del(one, PROJECT_MEMBER, { summary: `Delete a ${noun}` }),
    bundleRun: get(`${one}/bundle`, PROJECT_MEMBER, {
      summary: 'All results with inputs, parameters, seed, version and a methods paragraph, as a zip',
      media: ['application/zip'],
      costly: true,
      head: false,
    }),
    citeRun: get(`${one}/citation`, PROJECT_MEMBER, {
      summary: `How to cite a ${noun}: text, lasting address and hash`,
      answer: citation,
    }),
    reportRun: get(`${one}/report`, PROJECT_MEMBER, {
      summary: 'Findings, figures, tables, methods and provenance as a report (PDF)',
      query: reportQuery,
      media: ['application/pdf'],
      costly: true,
      head: false,
    }),
    cancelRun: post(`${one}/cancel`, PROJECT_MEMBER, { summary: 'Stop what is running', answer }),
    retryRun: post(`${one}/retry`, PROJECT_MEMBER, { summary: 'Run again what failed', answer }),
  } as const;
}

/** The endpoints that every kind of run has: list and create, and those of a single run. */
export function runEndpoints<const Kind extends RunKind, const Schemas extends RunSchemas>(
  kind: Kind,
  schemas: Schemas,
) {
  const path = `/projects/:project_id/${RUN_KINDS[kind].path as (typeof RUN_KINDS)[Kind]['path']}` as const;
  const item: Schemas['item'] = schemas.item;
  const answer: Schemas['detail'] = schemas.detail;
  const query: Schemas['list']['query'] = schemas.list.query;
  const body: Schemas['create']['body'] = schemas.create.body;
  return {
    listRuns: get(path, PROJECT_MEMBER, { summary: schemas.list.summary, query, answer: page(item) }),
    createRun: post(path, PROJECT_MEMBER, { summary: schemas.create.summary, body, answer, status: 201 }),
    ...singleRunEndpoints(kind, answer),
  } as const;
}
