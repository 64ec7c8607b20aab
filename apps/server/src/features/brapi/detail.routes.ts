import { exportFormat } from '@heterosis/contracts/data/file-formats';
import { COSTLY } from '../../platform/http/costly.ts';
import { notFound } from '../../platform/http/problem.ts';
import { contentDisposition } from '../../platform/object-storage/content-disposition.ts';
import { exportFlapjackTable, exportGenotypes } from '../data/files/index.ts';
import { Asked, askedInQuery, pageOf } from './asked.ts';
import { findGermplasmRow, germplasm, pedigreeText, puiOf } from './entities/germplasm.ts';
import { linkageGroupsOf, maps, mapsAsked } from './entities/maps.ts';
import { parentsOf, progenyOf, siblingsOf } from './entities/pedigree.ts';
import { envelope, ignored, type Json, paginationOf } from './envelope.ts';
import { EXPORTS } from './exports.ts';
import { type BrapiContext, findEntry, idIn, pathOf, queryOf, READING, scopeOf } from './list.routes.ts';
import { complete } from './list-entity.ts';
import { SPECIFICATION } from './specification.gen.ts';
import { isGenotype } from './studies.ts';
import { observationTable, tableAnswer } from './tables.ts';

/** Calls about one entry that are no list of entries, tables, and files. */
export function registerDetails(context: BrapiContext): void {
  registerGermplasm(context);
  registerLinkageGroups(context);
  registerTables(context);
  registerExports(context);
}

const ID = 'germplasmDbId';

function registerGermplasm(context: BrapiContext): void {
  const { app, calls } = context;
  for (const part of ['mcpd', 'pedigree', 'progeny']) calls.add('GET', `/germplasm/{${ID}}/${part}`);
  app.get(`/germplasm/:${ID}/mcpd`, { config: READING }, async (request) => {
    const entry = await findEntry(germplasm, await scopeOf(context, request), idIn(request, ID));
    return envelope(mcpdOf(entry));
  });
  // As in BrAPI 2.0; the npm client and walkers of single lines use them.
  app.get(`/germplasm/:${ID}/pedigree`, { config: READING }, async (request) => {
    const asked = askedInQuery(queryOf(request), SPECIFICATION.pedigreeOf.parameters);
    const scope = await scopeOf(context, request);
    const row = await findGermplasmRow(scope, idIn(request, ID));
    const siblings =
      asked.flag('includeSiblings') === true ? await siblingsOf(scope, [row]) : new Map<string, Json[]>();
    return envelope(
      complete('pedigreeOf', {
        germplasmDbId: row.id,
        germplasmName: row.name,
        pedigree: pedigreeText(row),
        parents: parentsOf(row),
        siblings: siblings.get(row.id) ?? [],
      }),
      ignored(asked.unknown),
    );
  });
  app.get(`/germplasm/:${ID}/progeny`, { config: READING }, async (request) => {
    const scope = await scopeOf(context, request);
    const row = await findGermplasmRow(scope, idIn(request, ID));
    const progeny = (await progenyOf(scope, [row])).get(row.id) ?? [];
    return envelope({ germplasmDbId: row.id, germplasmName: row.name, progeny });
  });
}

/** What we know of the passport of a line. */
function mcpdOf(entry: Json): Json {
  const take = (name: string): unknown => entry[name] ?? null;
  return complete('mcpd', {
    germplasmDbId: take('germplasmDbId'),
    germplasmPUI: puiOf(String(entry['germplasmDbId'])),
    accessionNames: [
      entry['germplasmName'],
      ...(entry['synonyms'] as { synonym: string }[]).map(({ synonym }) => synonym),
    ],
    accessionNumber: take('accessionNumber'),
    acquisitionDate: take('acquisitionDate'),
    ancestralData: take('pedigree'),
    biologicalStatusOfAccessionCode: take('biologicalStatusOfAccessionCode'),
    commonCropName: take('commonCropName'),
    countryOfOrigin: take('countryOfOriginCode'),
    genus: take('genus'),
    species: take('species'),
    speciesAuthority: take('speciesAuthority'),
    subtaxon: take('subtaxa'),
    subtaxonAuthority: take('subtaxaAuthority'),
    instituteCode: take('instituteCode'),
    remarks: take('documentationURL'),
  });
}

function registerLinkageGroups(context: BrapiContext): void {
  const { app, calls } = context;
  calls.add('GET', '/maps/{mapDbId}/linkagegroups');
  app.get('/maps/:mapDbId/linkagegroups', { config: READING }, async (request) => {
    const scope = await scopeOf(context, request);
    const id = idIn(request, 'mapDbId');
    const map = (await mapsAsked(scope, new Asked())).find(({ file }) => file.id === id);
    if (map === undefined) throw notFound(`This entry of ${maps.name}`);
    const warnings: string[] = [];
    const page = pageOf(queryOf(request), MOST_ROWS, warnings);
    const groups = await linkageGroupsOf(scope, map);
    const data = groups
      .slice(page.page * page.size, (page.page + 1) * page.size)
      .map(({ name, markerCount, maxPosition }) =>
        complete('linkagegroups', {
          linkageGroupName: name,
          markerCount,
          maxPosition,
          additionalInfo: { mapDbId: id },
        }),
      );
    return envelope({ data }, warnings, paginationOf(page, groups.length));
  });
}

/** Rows of one page. */
const MOST_ROWS = 10_000;

function registerTables(context: BrapiContext): void {
  const { app, calls } = context;
  for (const [path, specification] of [
    ['observations', SPECIFICATION.observationsTable],
    ['observationunits', SPECIFICATION.observationunitsTable],
  ] as const) {
    calls.add('GET', `/${path}/table`);
    app.get(`/${path}/table`, { config: READING }, async (request, reply) => {
      const asked = askedInQuery(queryOf(request), specification.parameters);
      const warnings = ignored(asked.unknown);
      // Clients that read tables know no pages: without one they get everything that fits.
      const page = pageOf({ pageSize: MOST_ROWS, ...queryOf(request) }, MOST_ROWS, warnings);
      const table = await observationTable(await scopeOf(context, request), asked, page, path === 'observations');
      const { type, body } = tableAnswer(table, page, warnings, String(request.headers.accept ?? ''));
      return reply.type(type).send(body);
    });
  }
}

/** The files that variant sets offer, made while they are sent. Not part of the standard, which names addresses. */
function registerExports(context: BrapiContext): void {
  const { app, services } = context;
  app.get(
    pathOf('/variantsets/{variantSetDbId}/export/{format}'),
    { config: { ...READING, ...COSTLY }, exposeHeadRoute: false },
    async (request, reply) => {
      const scope = await scopeOf(context, request);
      const id = idIn(request, 'variantSetDbId');
      const study = (await scope.listStudies()).filter(isGenotype).find((one) => one.id === id);
      const format = exportFormat.safeParse(idIn(request, 'format')).data;
      if (study === undefined || !EXPORTS.some((one) => one.format === format) || format === undefined)
        throw notFound('This file');
      const project = { projectId: study.project.id };
      const { fileName, contentType, bytes } =
        format === 'flapjack'
          ? await exportFlapjackTable(services, project, id)
          : await exportGenotypes({ services, access: project }, { file_id: id, query: { format } });
      return reply.type(contentType).header('content-disposition', contentDisposition(fileName, false)).send(bytes);
    },
  );
}
