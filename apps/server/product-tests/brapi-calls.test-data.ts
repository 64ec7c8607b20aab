/** Lists of BrAPI with what names one of their entries. */
const LISTS: readonly [list: string, id: string | null, hasSearch: boolean][] = [
  ['programs', 'programDbId', true],
  ['trials', 'trialDbId', true],
  ['studies', 'studyDbId', true],
  ['locations', 'locationDbId', true],
  ['seasons', 'seasonDbId', false],
  ['lists', 'listDbId', true],
  ['germplasm', 'germplasmDbId', true],
  ['pedigree', null, true],
  ['samples', 'sampleDbId', true],
  ['callsets', 'callSetDbId', true],
  ['referencesets', 'referenceSetDbId', true],
  ['references', 'referenceDbId', true],
  ['variantsets', 'variantSetDbId', true],
  ['variants', 'variantDbId', true],
  ['calls', null, true],
  ['allelematrix', null, true],
  ['maps', 'mapDbId', false],
  ['markerpositions', null, true],
  ['variables', 'observationVariableDbId', true],
  ['traits', 'traitDbId', false],
  ['scales', 'scaleDbId', false],
  ['methods', 'methodDbId', false],
  ['observationunits', 'observationUnitDbId', true],
  ['observations', 'observationDbId', true],
  ['images', 'imageDbId', true],
  ['events', null, false],
  ['attributes', 'attributeDbId', true],
  ['attributevalues', 'attributeValueDbId', true],
  ['breedingmethods', 'breedingMethodDbId', false],
  ['crossingprojects', 'crossingProjectDbId', false],
  ['plannedcrosses', null, false],
  ['crosses', null, false],
];

export interface BrapiCall {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  /** Without a token. */
  isPublic?: boolean;
  isWriting?: boolean;
  /** What is written belongs to a project, so a token that is limited to projects may write it. */
  inProjects?: boolean;
  /** Status of a call with the id of nothing. */
  answers: number;
}

const of = (method: 'GET' | 'POST', path: string, answers: number): BrapiCall => ({
  method,
  url: `/brapi/v2/${path}`,
  answers,
});

const writing = (method: 'POST' | 'PUT', path: string, answers: number): BrapiCall => ({
  method,
  url: `/brapi/v2/${path}`,
  isWriting: true,
  inProjects: true,
  answers,
});

/**
 * Every call of BrAPI. All but the public ones need a token, and answer what its person, and the token, may see: an id
 * that shows nothing is 404. A test of the feature compares what two people see.
 */
export const BRAPI_CALLS: readonly BrapiCall[] = [
  ...LISTS.flatMap(([list, id, hasSearch]) => [
    of('GET', list, 200),
    ...(id === null ? [] : [of('GET', `${list}/:${id}`, 404)]),
    ...(hasSearch ? [of('POST', `search/${list}`, 202), of('GET', `search/${list}/:searchResultsDbId`, 404)] : []),
  ]),
  ...[
    'commoncropnames',
    'studytypes',
    'observationlevels',
    'attributes/categories',
    'observations/table',
    'observationunits/table',
  ].map((path) => of('GET', path, 200)),
  ...[
    'germplasm/:germplasmDbId/mcpd',
    'germplasm/:germplasmDbId/pedigree',
    'germplasm/:germplasmDbId/progeny',
    'variantsets/:variantSetDbId/callsets',
    'variantsets/:variantSetDbId/variants',
    'variantsets/:variantSetDbId/calls',
    'variantsets/:variantSetDbId/export/:format',
    'callsets/:callSetDbId/calls',
    'variants/:variantDbId/calls',
    'maps/:mapDbId/linkagegroups',
  ].map((path) => of('GET', path, 404)),
  // Managers add and change lines; an empty body has none.
  { method: 'POST', url: '/brapi/v2/germplasm', isWriting: true, answers: 400 },
  { method: 'PUT', url: '/brapi/v2/germplasm/:germplasmDbId', isWriting: true, answers: 404 },
  { method: 'POST', url: '/brapi/v2/pedigree', isWriting: true, answers: 400 },
  { method: 'PUT', url: '/brapi/v2/pedigree', isWriting: true, answers: 400 },
  // Members of the project write its studies, and to them.
  writing('POST', 'studies', 400),
  writing('PUT', 'studies/:studyDbId', 404),
  writing('POST', 'locations', 400),
  writing('PUT', 'locations/:locationDbId', 404),
  writing('POST', 'seasons', 400),
  writing('POST', 'images', 400),
  writing('PUT', 'images/:imageDbId', 404),
  writing('PUT', 'images/:imageDbId/imagecontent', 400),
  ...[
    ['observations', 'observationDbId'],
    ['observationunits', 'observationUnitDbId'],
  ].flatMap(([list, id]) => [
    writing('POST', `${list}`, 400),
    writing('PUT', `${list}`, 400),
    writing('PUT', `${list}/:${id}`, 404),
  ]),
  // Members of the project write crosses; nobody finds those of others.
  ...['crossingprojects', 'plannedcrosses', 'crosses'].map((list) => writing('POST', list, 400)),
  ...['plannedcrosses', 'crosses'].map((list) => writing('PUT', list, 400)),
  writing('PUT', 'crossingprojects/:crossingProjectDbId', 404),
  // Members of the project write its lists.
  writing('POST', 'lists', 400),
  writing('PUT', 'lists/:listDbId', 404),
  ...['data', 'items'].map((part) => writing('POST', `lists/:listDbId/${part}`, 404)),
  writing('POST', 'variantsets/extract', 400),
  { method: 'GET', url: '/brapi/v2/serverinfo', isPublic: true, answers: 200 },
  // The password is no personal access token.
  { method: 'POST', url: '/brapi/v2/token', isPublic: true, answers: 401 },
  { method: 'POST', url: '/brapi/v1/token', isPublic: true, answers: 401 },
  { method: 'POST', url: '/token', isPublic: true, answers: 401 },
  // The OpenID provider; no app asks for anything here.
  { method: 'GET', url: '/brapi/oauth/authorize', isPublic: true, answers: 400 },
  { method: 'GET', url: '/brapi/oauth/authorize/:uid', isPublic: true, answers: 400 },
  { method: 'POST', url: '/brapi/oauth/token', isPublic: true, answers: 400 },
  // Assistants: an empty message, and nothing to listen to.
  { method: 'POST', url: '/mcp', answers: 400 },
  { method: 'GET', url: '/mcp', answers: 405 },
];
