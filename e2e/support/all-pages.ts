import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { expect, type Page } from '@playwright/test';
import { type Demo, openDemo } from './demo.ts';
import { baseUrl, query, signInAsNewUser, signInByRequests } from './journeys.ts';
import { OUTBOX_KEY } from './start-product.ts';

type Pages<Place> = readonly (readonly [name: string, addressOf: (place: Place) => string])[];

/** Whose pages they are: of the demo's owner, of somebody with an organization and the rights of an operator, of
 * somebody who has just registered, and of visitors. */
export interface Places {
  demo: Demo;
  own: Own;
  newcomer: undefined;
  visitor: undefined;
}
export type Who = keyof Places;

/** What the demo does not have. */
interface Own {
  organization: string;
  project: string;
  crop: string;
  folder: string;
  /** Germplasm files that wait for their review, of the organization and of the project. */
  uploads: Record<'organization' | 'project', string>;
  /** Address of an order that is not confirmed. */
  checkout: string;
  /** Address of the page that asks whether an app may connect. */
  connect: string;
}

const dashed = (name: string): string => name.replaceAll('_', '-');
/** The list of each kind, one of its runs, and the dialogs that start another like it and rename it. */
const RUN_PAGES: Pages<Demo> = runKinds.flatMap((kind): Pages<Demo> => {
  const { noun, page, path } = RUN_KINDS[kind];
  const dialog = (verb: string) => (demo: Demo) =>
    `${demo.project}/${page}?modal=${verb}-${dashed(kind)}&modal_id=${demo.runs[kind]}`;
  return [
    [`the ${path.replaceAll('_', ' ')}`, ({ project }) => `${project}/${page}`],
    [`a ${noun}`, ({ project, runs }) => `${project}/${page}/${runs[kind]}`],
    [`the dialog that starts a ${noun}`, dialog('create')],
    [`the dialog that renames a ${noun}`, dialog('update')],
  ];
});

/** Of the owner of the demo. */
const OF_THE_DEMO: Pages<Demo> = [
  ['the project list', () => '/projects'],
  ['the overview', ({ project }) => project],
  ['the files', ({ project }) => `${project}/storage`],
  ['a genotype file', ({ project, genotype }) => `${project}/files/${genotype}`],
  ['a phenotype file', ({ project, phenotype }) => `${project}/files/${phenotype}`],
  ['the models as a matrix', ({ project }) => `${project}/models?view=matrix`],
  ['its marker effects', ({ project, runs }) => `${project}/models/${runs.model}?tab=effects`],
  ['its ranking', ({ project, runs }) => `${project}/models/${runs.model}?tab=gebv`],
  ['its provenance', ({ project, runs }) => `${project}/models/${runs.model}?tab=provenance`],
  ['a region of it', ({ project, runs }) => `${project}/gwas/${runs.gwas}?zoom=1:276719882-284719882`],
  ['a marker of it', ({ project, runs }) => `${project}/gwas/${runs.gwas}?marker=PZA03188.4`],
  ['the trials of a project', ({ project }) => `${project}/trials`],
  ['the decisions of a project', ({ project }) => `${project}/decisions`],
  ['a decision', ({ project, decision }) => `${project}/decisions/${decision}`],
  ['a line of a decision', ({ project, decision }) => `${project}/decisions/${decision}?line=3`],
  ['the dialog that begins a decision', ({ project }) => `${project}/decisions?modal=create-decision`],
  ['a trial', ({ project, trial }) => `${project}/trials/${trial}`],
  ['its values', ({ project, trial }) => `${project}/trials/${trial}?tab=values`],
  ['its history', ({ project, trial }) => `${project}/trials/${trial}?tab=history`],
  ['the page of a new trial', ({ project }) => `${project}/trials/new`],
  ['the layout of a trial made anew', ({ project, trial }) => `${project}/trials/new?trial=${trial}`],
  ['what a share link shows', ({ shared }) => `/s#${shared}`],
  ['the share links of a project', ({ project }) => `${project}/shareLinks`],
  ['the lists of a project', ({ project }) => `${project}/lists`],
  ['the pedigree of a project', ({ project }) => `${project}/pedigrees`],
  ['an organization', ({ organization }) => organization],
  ['its members', ({ organization }) => `${organization}/members`],
  ['its crops', ({ organization }) => `${organization}/crops`],
  ['its webhooks', ({ organization }) => `${organization}/webhooks`],
  ['its billing', ({ organization }) => `${organization}/billing`],
  ['its germplasm', ({ organization }) => `${organization}/germplasm`],
  ['the upload of germplasm', ({ organization }) => `${organization}/germplasm?modal=upload-germplasm`],
  ['the germplasm of a project', ({ project }) => `${project}/germplasm`],
  ['a germplasm', ({ project, germplasm }) => `${project}/germplasm/${germplasm}`],
  ['its audit', ({ organization }) => `${organization}/audit`],
  ['its share links', ({ organization }) => `${organization}/shareLinks`],
  ['the account', () => '/account'],
  ['the about page', () => '/about'],
  ['the outbox', () => `/dev/outbox?key=${OUTBOX_KEY}`],
  ['an address that leads nowhere', () => '/nowhere'],
  [
    'the dialog that phases',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=phasing&modal_id=${genotype}`,
  ],
  [
    'the dialog that makes hybrids',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=hybrids&modal_id=${genotype}`,
  ],
  [
    'the dialog that converts names',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=convert-file&modal_id=${genotype}`,
  ],
  [
    'what the columns of a table hold',
    ({ project, phenotype }) => `${project}/files/${phenotype}?modal=map-columns&modal_id=${phenotype}`,
  ],
  ['the upload', ({ project }) => `${project}/storage?modal=upload-files`],
  ['the data package', ({ project }) => `${project}?modal=data-package`],
  [
    'everything as one package',
    ({ organization }) => `${organization}?modal=organization-package&modal_id=${organization.split('/').at(-1)}`,
  ],
  ['the bin', ({ project }) => `${project}/storage?modal=bin`],
  ['the dialog of a new folder', ({ project }) => `${project}/storage?modal=add-folder`],
  ['the export', ({ project, genotype }) => `${project}/files/${genotype}?modal=export-file&modal_id=${genotype}`],
  [
    'the map template',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=download-spec-file&modal_id=${genotype}`,
  ],
  ['the traits of a project', ({ project }) => `${project}/models?modal=trait-settings`],
  ['all traits of a GWAS', ({ project, runs }) => `${project}/gwas/${runs.gwas}?all=1`],
  [
    'the comparison of models',
    ({ project, runs }) => `${project}/models?modal=compare-models&modal_id=${runs.model},${runs.model}`,
  ],
  ['the series of trials', ({ project, runs }) => `${project}/trialAnalyses/${runs.trial_analysis}?tab=series`],
  ['the dialog that opens a file as trials', ({ project }) => `${project}/trials?modal=open-trials`],
  [
    'the comparison of trial analyses',
    ({ project, runs }) =>
      `${project}/trialAnalyses?modal=compare-trial-analyses&modal_id=${runs.trial_analysis},${runs.trial_analysis}`,
  ],
  [
    'the comparison of GWAS',
    ({ project, runs }) => `${project}/gwas?modal=compare-gwas&modal_id=${runs.gwas},${runs.gwas}`,
  ],
  ['the dialog of a new project', () => '/projects?modal=add-project'],
  ['the dialog of a new organization', () => '/projects?modal=create-org'],
  ['the invitations', () => '/projects?modal=invitation-box'],
  ['the members of a project', ({ project }) => `${project}/members`],
  ['the help', () => '/help/methods'],
  ['the begin of the help', () => '/help'],
  ['the audit of a project', ({ project }) => `${project}/audit`],
  ['an address in a project that leads nowhere', ({ project }) => `${project}/nowhere`],
  ['the pedigree of an organization', ({ organization }) => `${organization}/pedigree`],
  ['a germplasm of an organization', ({ organization, germplasm }) => `${organization}/germplasm/${germplasm}`],
  ['the dialog that imports from BrAPI', ({ project }) => `${project}/storage?modal=brapi-import`],
  [
    'the dialog that replaces a file',
    ({ project, phenotype }) => `${project}/files/${phenotype}?modal=replace-file&modal_id=${phenotype}`,
  ],
  [
    'the dialog that renames a file',
    ({ project, phenotype }) => `${project}/files/${phenotype}?modal=update-file&modal_id=${phenotype}`,
  ],
  ...RUN_PAGES,
];

const OF_THE_OWN: Pages<Own> = [
  ['a folder', ({ project, folder }) => `${project}/storage/${folder}`],
  [
    'the review of germplasm in an organization',
    ({ organization, uploads }) => `${organization}/germplasm/uploads/${uploads.organization}`,
  ],
  ['the review of germplasm in a project', ({ project, uploads }) => `${project}/germplasm/uploads/${uploads.project}`],
  [
    'what the columns of germplasm hold',
    ({ project, uploads: { project: id } }) =>
      `${project}/germplasm/uploads/${id}?modal=map-germplasm-columns&modal_id=${id}`,
  ],
  ['the order of a plan', ({ checkout }) => checkout],
  ['the request of an app', ({ connect }) => connect],
  ['the billing of a plan', ({ organization }) => `${organization}/billing`],
  [
    'the dialog of seats',
    ({ organization }) => `${organization}/billing?modal=update-plan&modal_id=${idIn(organization)}`,
  ],
  [
    'the dialog of a card',
    ({ organization }) => `${organization}/billing?modal=add-credit-card&modal_id=${idIn(organization)}`,
  ],
  [
    'the dialog of a new crop',
    ({ organization }) => `${organization}/crops?modal=add-crop&modal_id=${idIn(organization)}`,
  ],
  [
    'the dialog that renames a crop',
    ({ organization, crop }) => `${organization}/crops?modal=update-crop&modal_id=${crop}`,
  ],
  [
    'the dialog that renames an organization',
    ({ organization }) => `${organization}?modal=update-org&modal_id=${idIn(organization)}`,
  ],
  [
    'the dialog that invites to it',
    ({ organization }) => `${organization}?modal=invitation-org&modal_id=${idIn(organization)}`,
  ],
  ['the dialog that renames a project', ({ project }) => `${project}?modal=update-project&modal_id=${idIn(project)}`],
  ['the dialog that invites to a project', ({ project }) => `${project}?modal=invitation&modal_id=${idIn(project)}`],
  [
    'the dialog that renames a folder',
    ({ project, folder }) => `${project}/storage?modal=update-folder&modal_id=${folder}`,
  ],
  ['the dialog that asks for a name', () => '/projects?modal=name-registration'],
  ['the registrations of operators', () => '/operator'],
  ['the requests to register', () => '/operator/registrations'],
  ['the organizations of operators', () => '/operator/organizations'],
  ['the work of operators', () => '/operator/work'],
  ['the mails of operators', () => '/operator/mails'],
  ['the audit of operators', () => '/operator/audit'],
];

/** Every page and dialog, with its address. */
export const PAGES: { readonly [Kind in Who]: Pages<Places[Kind]> } = {
  demo: OF_THE_DEMO,
  own: OF_THE_OWN,
  newcomer: [['the set-up', () => '/setup']],
  visitor: [
    ['the start page', () => '/'],
    ['a sign-in without a code', () => '/signin'],
    ['a new e-mail address without a code', () => '/email'],
    ['an invitation without a code', () => '/invitation'],
    ['a share link that shows nothing', () => '/s'],
    ['the dialog of a sent link', () => '/?modal=confirm-send-email'],
    ['the dialog of an unknown address', () => '/?modal=not-exist-user'],
    ['the dialog of a registration', () => '/?modal=sent-message'],
  ],
};

const idIn = (address: string): string => address.split('/').at(-1) ?? '';

/** Signs in on a page of a context of their own, and makes what their pages are about. */
export const OPENERS: { readonly [Kind in Who]: (page: Page) => Promise<Places[Kind]> } = {
  demo: openDemo,
  own: openOwn,
  newcomer: async (page) => {
    await signInAsNewUser(page, `newcomer-${randomUUID()}@example.org`);
    await expect(page.getByLabel('First name')).toBeVisible();
    return undefined;
  },
  visitor: async () => undefined,
};

async function openOwn(page: Page): Promise<Own> {
  const email = `every-page-${randomUUID()}@example.org`;
  const call = await signInByRequests(page, email);
  await query('update users set is_operator = true where email = $1', [email]);
  const [price] = (await call('GET', '/stripe/price')).data;
  const order = async (): Promise<string> => {
    const { url } = await call('POST', '/checkout', { price_id: price.id });
    return new URL(url, baseUrl()).pathname;
  };
  const confirmed = { organization_name: 'Every page', quantity: 10 };
  const { organization_id } = await call('POST', `/checkouts/${idIn(await order())}/confirm`, confirmed);
  const crop = await call('POST', `/organizations/${organization_id}/crops`, { name: 'Maize' });
  const place = { name: 'Every page', organization_id, crop_id: crop.id };
  const project = await call('POST', '/projects', place);
  const folder = await call('POST', `/projects/${project.id}/folders`, { name: 'Trials', folder_id: null });
  return {
    organization: `/organizations/${organization_id}`,
    project: `/projects/${project.id}`,
    crop: crop.id,
    folder: folder.id,
    uploads: {
      organization: await uploadGermplasm(page, `/organizations/${organization_id}`, { crop_id: crop.id }),
      project: await uploadGermplasm(page, `/projects/${project.id}`),
    },
    checkout: await order(),
    connect: await askForAccess(page),
  };
}

/** A file of which one row has an error, by requests of the browser's own session. */
async function uploadGermplasm(page: Page, place: string, fields: Record<string, string> = {}): Promise<string> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('heterosis.session') ?? '{}').access_token);
  const headers = { authorization: `Bearer ${token}` };
  const path = `${baseUrl()}/api${place}/germplasms/uploads`;
  const buffer = Buffer.from('name,female,male,origin\nB73,,,Iowa\nMo17,,,Missouri\nH1,B73,Unknown 7,\n,B73,Mo17,\n');
  const file = { name: 'lines.csv', mimeType: 'text/csv', buffer };
  const answer = await page.request.post(path, { headers, multipart: { ...fields, file } });
  if (!answer.ok()) throw new Error(await answer.text());
  const { id } = (await answer.json()) as { id: string };
  const state = async () =>
    ((await (await page.request.get(`${path}/${id}`, { headers })).json()) as { status: string }).status;
  await expect.poll(state).toBe('REVIEW');
  return id;
}

/** As an app on a phone begins to sign somebody in. */
async function askForAccess(page: Page): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'fieldbook',
    redirect_uri: 'fieldbook://app/auth',
    response_type: 'code',
    scope: 'openid',
    prompt: 'login',
    code_challenge_method: 'S256',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  const discovered = await (await page.request.get(`${baseUrl()}/.well-known/openid-configuration`)).json();
  const answer = await page.request.get(`${discovered.authorization_endpoint}?${query}`, { maxRedirects: 0 });
  return new URL(answer.headers()['location'] ?? '', baseUrl()).pathname;
}

const WEB = join(import.meta.dirname, '../../apps/web/src');

/** Every address that the router knows (`/projects/$projectId`), and every dialog that one opens (`?modal=bin`). */
export function everyAddress(): string[] {
  const routes = readFileSync(join(WEB, 'routeTree.gen.ts'), 'utf8');
  const [, paths = ''] = /interface FileRoutesByFullPath \{(.*?)\n\}/s.exec(routes) ?? [];
  const modals = readFileSync(join(WEB, 'lib/browser/modal.ts'), 'utf8');
  const [, names = ''] = /OTHER_MODAL_NAMES = \[(.*?)\]/s.exec(modals) ?? [];
  const quoted = (text: string): string[] => [...text.matchAll(/'([^']+)'/g)].map(([, inner = '']) => inner);
  const ofRuns = runKinds.flatMap((kind) => [`create-${dashed(kind)}`, `update-${dashed(kind)}`]);
  // The first page below a layout has the address of the layout, and a slash.
  const pages = new Set(quoted(paths).map((path) => path.replace(/(?<=.)\/$/, '')));
  return [...pages, ...[...quoted(names), ...ofRuns].map((name) => `?modal=${name}`)];
}

/** Those of them to which the pages above lead. */
export function lookedAt(): Set<string> {
  const patterns = everyAddress().filter((address) => address.startsWith('/'));
  const idsOf: object = new Proxy({}, { get: () => 'id' });
  const ids: object = new Proxy(
    {},
    { get: (_, key) => (key === 'runs' || key === 'uploads' ? idsOf : (ROOTS[String(key)] ?? 'id')) },
  );
  const addresses = Object.values(PAGES).flatMap((pages) =>
    pages.map(([, addressOf]) => (addressOf as (place: unknown) => string)(ids)),
  );
  return new Set(
    addresses.flatMap((address) => {
      const { pathname, searchParams } = new URL(address, 'http://any');
      const modal = searchParams.get('modal');
      return [patternOf(pathname, patterns), ...(modal === null ? [] : [`?modal=${modal}`])];
    }),
  );
}

const ROOTS: Record<string, string> = {
  project: '/projects/id',
  organization: '/organizations/id',
  checkout: '/checkout/id',
  connect: '/connect/id',
};

/** The pattern of the router that an address fits, of several the one with the most words. */
function patternOf(pathname: string, patterns: readonly string[]): string {
  const parts = pathname.split('/').filter(Boolean);
  const wordsIn = (pattern: string): number =>
    pattern.split('/').filter((part) => part !== '' && !part.startsWith('$')).length;
  const fitting = patterns.filter((pattern) => {
    const wanted = pattern.split('/').filter(Boolean);
    const isOpen = wanted.at(-1) === '$';
    const fixed = isOpen ? wanted.slice(0, -1) : wanted;
    return (
      (isOpen ? parts.length > fixed.length : parts.length === fixed.length) &&
      fixed.every((part, at) => part.startsWith('$') || part === parts[at])
    );
  });
  const rank = (pattern: string): number => 2 * wordsIn(pattern) + (pattern.endsWith('/$') ? 0 : 1);
  return fitting.sort((a, b) => rank(b) - rank(a))[0] ?? pathname;
}
