import { page, pathId } from '@heterosis/contracts/common';
import {
  checkFileBody,
  createFileBody,
  createFolderBody,
  deleteFileQuery,
  type FileQc,
  file,
  fileDetail,
  fileProblems,
  fileQc,
  folder,
  folderDetail,
  linkageMapTemplateQuery,
  listFilesQuery,
  listFoldersQuery,
  listProblemsQuery,
  phenotypeRows,
  phenotypeRowsQuery,
  updateFileBody,
  updateFolderBody,
  uploadLinkBody,
  uploadLinkResult,
} from '@heterosis/contracts/files';
import { csvRow } from '@heterosis/file-formats/tables/csv-writer';
import { linkageMapTemplate, linkageMapTemplateFileName } from '@heterosis/file-formats/tables/linkage-map-template';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { decodeCursor, decodeIdCursor, encodeCursor, toPage } from '../../platform/http/pagination.ts';
import { Problem } from '../../platform/http/problem.ts';
import { openFilePanel, readDerived, readPhenotypeTable } from './file-contents.ts';
import { listFiles, listProblems } from './files.queries.ts';
import {
  changeFile,
  checkFileAgain,
  createFile,
  createUploadLink,
  deleteFile,
  getFile,
  readFileDetail,
  toFile,
} from './files.service.ts';
import { listFolders } from './folders.queries.ts';
import { changeFolder, createFolder, deleteFolder, readFolder } from './folders.service.ts';

const inProject = z.object({ project_id: pathId });
const withId = inProject.extend({ id: pathId });
const member = { guard: { project: 'MEMBER' } } as const;

/** `root=true`: null; an id: that folder; neither: everything. */
function chosenFolder({ folder_id, root }: { folder_id?: string | undefined; root?: string | undefined }): {
  folderId?: string | null;
} {
  if (root === 'true') return { folderId: null };
  return folder_id === undefined ? {} : { folderId: folder_id };
}

export const fileRoutes: FeatureRoutes = (app, services) => {
  const { db, storage } = services;

  app.get(
    '/projects/:project_id/folders',
    {
      config: member,
      schema: {
        summary: 'List folders',
        params: inProject,
        querystring: listFoldersQuery,
        response: { 200: page(folder) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = decodeIdCursor(cursor);
      const rows = await listFolders(db, requireProjectAccess(request).projectId, {
        ...chosenFolder(request.query),
        limit,
        after,
      });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
  app.post(
    '/projects/:project_id/folders',
    {
      config: member,
      schema: {
        summary: 'Create a folder',
        params: inProject,
        body: createFolderBody,
        response: { 201: folderDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createFolder(db, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.get(
    '/projects/:project_id/folders/:id',
    { config: member, schema: { summary: 'Read a folder', params: withId, response: { 200: folderDetail } } },
    async (request) => readFolder(db, requireProjectAccess(request).projectId, request.params.id),
  );
  app.put(
    '/projects/:project_id/folders/:id',
    {
      config: member,
      schema: {
        summary: 'Rename or move a folder',
        params: withId,
        body: updateFolderBody,
        response: { 200: folderDetail },
      },
    },
    async (request) =>
      changeFolder(db, requireProjectAccess(request), requirePrincipal(request), request.params.id, request.body),
  );
  app.delete(
    '/projects/:project_id/folders/:id',
    { config: member, schema: { summary: 'Delete an empty folder', params: withId, response: { 204: z.null() } } },
    async (request, reply) => {
      await deleteFolder(db, requireProjectAccess(request), requirePrincipal(request), request.params.id);
      return reply.status(204).send(null);
    },
  );

  app.get(
    '/projects/:project_id/files',
    {
      config: member,
      schema: { summary: 'List files', params: inProject, querystring: listFilesQuery, response: { 200: page(file) } },
    },
    async (request) => {
      const { limit, cursor, file_type: types, search } = request.query;
      const rows = await listFiles(db, requireProjectAccess(request).projectId, {
        ...chosenFolder(request.query),
        ...(types === undefined ? {} : { types: Array.isArray(types) ? types : [types] }),
        ...(search === undefined ? {} : { search }),
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows.map(toFile), limit, (row) => [row.id]);
    },
  );
  app.post(
    '/projects/:project_id/files/upload_link',
    {
      config: member,
      schema: {
        summary: 'Step 1 of an upload: an address for the bytes',
        params: inProject,
        body: uploadLinkBody,
        response: { 201: uploadLinkResult },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createUploadLink(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.post(
    '/projects/:project_id/files',
    {
      config: member,
      schema: {
        summary: 'Step 3 of an upload: the file',
        params: inProject,
        body: createFileBody,
        response: { 201: fileDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createFile(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.get(
    '/projects/:project_id/files/:id',
    { config: member, schema: { summary: 'Read a file', params: withId, response: { 200: fileDetail } } },
    async (request) => readFileDetail(services, requireProjectAccess(request).projectId, request.params.id),
  );
  app.put(
    '/projects/:project_id/files/:id',
    {
      config: member,
      schema: {
        summary: 'Rename, move or describe a file',
        params: withId,
        body: updateFileBody,
        response: { 200: fileDetail },
      },
    },
    async (request) =>
      changeFile(services, requireProjectAccess(request), requirePrincipal(request), request.params.id, request.body),
  );
  app.delete(
    '/projects/:project_id/files/:id',
    {
      config: member,
      schema: { summary: 'Delete a file', params: withId, querystring: deleteFileQuery, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await deleteFile(services, requireProjectAccess(request), requirePrincipal(request), request.params.id, {
        cascade: request.query.cascade === 'true',
        requestId: request.id,
      });
      return reply.status(204).send(null);
    },
  );
  app.post(
    '/projects/:project_id/files/:id/check',
    {
      config: member,
      schema: {
        summary: 'Check a file again, with other choices',
        params: withId,
        body: checkFileBody,
        response: { 200: fileDetail },
      },
    },
    async (request) =>
      checkFileAgain(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.id,
        request.body,
      ),
  );

  app.get(
    '/projects/:project_id/files/:id/problems',
    {
      config: member,
      schema: {
        summary: 'Problems found in a file',
        params: withId,
        querystring: listProblemsQuery,
        response: { 200: fileProblems },
      },
    },
    async (request) => {
      const { projectId } = requireProjectAccess(request);
      const { limit, cursor, severity, code } = request.query;
      const row = await getFile(db, projectId, request.params.id);
      const found = await listProblems(db, projectId, row.id, {
        ...(severity === undefined ? {} : { severity }),
        ...(code === undefined ? {} : { code }),
        limit,
        after: Number(decodeCursor(cursor, 1)?.[0] ?? -1),
      });
      const { byCode, ...totals } = row.problem_totals;
      const { data, next_cursor } = toPage(found, limit, (one) => [one.position]);
      return { data: data.map(({ position: _, ...one }) => one), next_cursor, totals, by_code: byCode };
    },
  );
  app.get(
    '/projects/:project_id/files/:id/problems.csv',
    { config: member, schema: { summary: 'Problems found in a file, as CSV', params: withId } },
    async (request, reply) => {
      const { projectId } = requireProjectAccess(request);
      const row = await getFile(db, projectId, request.params.id);
      const found = await listProblems(db, projectId, row.id, { limit: 1000, after: -1 });
      const head = ['severity', 'code', 'line', 'column', 'value', 'message', 'suggestion'] as const;
      const text = [csvRow([...head]), ...found.map((one) => csvRow(head.map((name) => one[name])))].join('');
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="problems.csv"')
        .send(text);
    },
  );
  app.get(
    '/projects/:project_id/files/:id/qc',
    { config: member, schema: { summary: 'What is in a checked file', params: withId, response: { 200: fileQc } } },
    async (request) => {
      const row = await getFile(db, requireProjectAccess(request).projectId, request.params.id);
      return JSON.parse(Buffer.from(await readDerived(storage, row, 'qc')).toString('utf8')) as FileQc;
    },
  );
  app.get(
    '/projects/:project_id/files/:id/rows',
    {
      config: member,
      schema: {
        summary: 'Rows of a phenotype file',
        params: withId,
        querystring: phenotypeRowsQuery,
        response: { 200: phenotypeRows },
      },
    },
    async (request) => {
      const row = await getFile(db, requireProjectAccess(request).projectId, request.params.id);
      if (row.file_type !== 'PHENOTYPE')
        throw new Problem('files/wrong-type', `“${row.name}” is not a phenotype file.`);
      const table = await readPhenotypeTable(storage, row);
      const { limit, cursor, sort, search } = request.query;
      const start = Number(decodeCursor(cursor, 1)?.[0] ?? 0);
      const order = sortedRows(table, sort, search);
      const shown = order.slice(start, start + limit);
      return {
        traits: table.traits.map((trait) => trait.name),
        data: shown.map((index) => ({
          individual: table.individuals[index] ?? '',
          values: table.values.map((values) => finite(values[index])),
        })),
        next_cursor: start + limit < order.length ? encodeCursor([start + limit]) : null,
        total: order.length,
      };
    },
  );
  app.get(
    '/projects/:project_id/files/:id/linkage_map_template',
    {
      config: member,
      schema: { summary: 'Linkage-map template of a genotype', params: withId, querystring: linkageMapTemplateQuery },
    },
    async (request, reply) => {
      const row = await getFile(db, requireProjectAccess(request).projectId, request.params.id);
      const panel = await openFilePanel(storage, row);
      try {
        const text = [
          ...linkageMapTemplate(panel.markers, {
            mode: request.query.mode === '2' ? 2 : 1,
            bpPerCm: request.query.bp_per_cm,
            sourceName: row.name,
          }),
        ].join('');
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${linkageMapTemplateFileName(new Date())}"`)
          .send(text);
      } finally {
        await panel.close();
      }
    },
  );
};

interface Sortable {
  individuals: string[];
  traits: { name: string }[];
  values: Float64Array[];
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Row numbers in the wanted order, missing values last. `sort` is `individual`, a trait, or either with a leading minus. */
function sortedRows(table: Sortable, sort: string | undefined, search: string | undefined): number[] {
  const wanted = search?.toLowerCase();
  const rows = table.individuals.flatMap((name, index) =>
    wanted === undefined || name.toLowerCase().includes(wanted) ? index : [],
  );
  if (sort === undefined) return rows;
  const traits = table.traits.map((trait) => trait.name);
  const isDescending = sort.startsWith('-') && !traits.includes(sort) && sort !== 'individual';
  const column = isDescending ? sort.slice(1) : sort;
  const sign = isDescending ? -1 : 1;
  if (column === 'individual')
    return rows.sort((a, b) => sign * collator.compare(table.individuals[a] ?? '', table.individuals[b] ?? ''));
  const values = table.values[traits.indexOf(column)];
  if (!values)
    throw new Problem('request/invalid', `There is no column “${column}” to sort by.`, {
      invalidParams: [{ name: 'query.sort', reason: 'Name of a trait, or individual' }],
    });
  return rows.sort((a, b) => {
    const [x, y] = [values[a] ?? Number.NaN, values[b] ?? Number.NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return sign * (x - y);
  });
}

function finite(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
