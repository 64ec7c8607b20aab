import type { RouteGuard } from '@heterosis/contracts/endpoint';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
import { exampleRun } from '@heterosis/test-support/run-examples';
import { OUTBOX_KEY } from '../src/platform/http/testing.ts';
import { BRAPI_CALLS } from './brapi-calls.test-data.ts';
import {
  brapiRow,
  EVERYBODY,
  GERMPLASM_WRITERS,
  OPERATORS,
  ORGANIZATION,
  ORGANIZATION_MANAGERS,
  ORGANIZATION_MEMBERS,
  ORGANIZATION_OWNERS,
  own,
  type Place,
  PROJECT,
  PROJECT_MANAGERS,
  PROJECT_OWNERS,
  type RoleRow,
  type Rule,
  row,
  SIGNATURE,
  SIGNED_IN,
} from './role-rows.test-data.ts';

const named = { body: ({ name }: Place) => ({ name }) };
const invited = { body: ({ name }: Place) => ({ recipient: `${name.replaceAll(' ', '-')}@example.org` }) };
const loopback = { url: 'http://127.0.0.1:1', germplasm: true };
const inputs = (place: Place) => ({ genotype_id: place.genotype_id, phenotype_id: place.phenotype_id });
/** Nothing has been computed yet. */
const ofField = { query: 'trait=Yield&environment=trial', answers: 409 };
const noResult = { query: 'trait=Yield', answers: 409 };
/** Nothing has failed. */
const notFailed = { answers: 409 };

/** A layout that needs no germplasm. */
const BORDERS = {
  ...{ number: [1, 2], row: [1, 1], column: [1, 2], replicate: [null, null], block: [null, null], entry: [null, null] },
  kind: ['BORDER', 'FILLER'],
};
export const trialOfPlace = ({ name }: Place) => ({
  ...{ name, season: '2026', entries: [] },
  places: [{ location_name: 'North field', layout: BORDERS }],
});

/** The routes that every kind of run has. */
const runRows = (path: RunPath): RoleRow[] => {
  const list = `/projects/:project_id/${path}`;
  return [
    row('GET', list, PROJECT),
    row('POST', list, PROJECT, { body: (place) => exampleRun(path, place.name, place) }),
    row('GET', `${list}/:id`, PROJECT),
    own('PUT', `${list}/:id`, named),
    own('DELETE', `${list}/:id`),
    own('POST', `${list}/:id/cancel`),
    own('POST', `${list}/:id/retry`, notFailed),
    row('GET', `${list}/:id/bundle`, PROJECT),
    // It has not ended.
    row('GET', `${list}/:id/citation`, PROJECT, { answers: 409 }),
    row('GET', `${list}/:id/report`, PROJECT),
  ];
};

/** The id of nothing. */
const NO_ROW = '00000000-0000-4000-8000-000000000000';

/** The trial has no such value. */
const aside = () => ({ observations: [NO_ROW], reason: 'Hail' });

/** Uploads are private to their user; the test sends no file. */
const germplasmUploads = (url: string, who: Rule, guard: RouteGuard): RoleRow[] => [
  row('POST', url, who, { guard, answers: 400 }),
  row('POST', `${url}/uploads`, who, { guard, answers: 400 }),
  row('GET', `${url}/uploads/:upload_id`, who, { guard }),
  row('GET', `${url}/uploads/:upload_id/rows`, who, { guard }),
  row('GET', `${url}/uploads/:upload_id/first_rows`, who, { guard, answers: 409 }),
  row('PUT', `${url}/uploads/:upload_id`, who, { guard, body: () => ({}) }),
  row('POST', `${url}/uploads/:upload_id/accept`, who, { guard, body: () => ({}), answers: 422 }),
  row('DELETE', `${url}/uploads/:upload_id`, who, { guard }),
];

/**
 * The permissions of the product: what every kind of caller gets from every route. `role-table.test.ts` calls them
 * all; a registered route without a row here fails it. A new route gets one line: method and address, who may call
 * it, and what a permitted caller sends.
 */
export const ROLE_TABLE: readonly RoleRow[] = [
  row('GET', '/docs', EVERYBODY),
  row('GET', '/openapi.json', EVERYBODY),
  row('GET', '/config', EVERYBODY),
  row('PUT', '/storage/*', SIGNATURE),
  row('GET', '/storage/*', SIGNATURE),
  row('GET', '/dev/outbox', EVERYBODY, { query: `key=${OUTBOX_KEY}` }),
  row('GET', '/events', SIGNED_IN),

  // Nobody who calls: a mailbox gets ten mails in a quarter of an hour, and callers ask for mails of their own.
  row('POST', '/auth/link', EVERYBODY, {
    body: ({ name }) => ({ email: `mailed-${Number(name.at(-1)) % 2}@example.org` }),
  }),
  row('POST', '/signup', EVERYBODY, { body: ({ name }) => ({ email: `${name.replaceAll(' ', '-')}@example.org` }) }),
  // Without a valid code nobody gets a token: 400 says that the code is unknown, not that the call is forbidden.
  row('POST', '/auth/token', EVERYBODY, {
    body: () => ({ grant_type: 'email_link', code: 'x'.repeat(43) }),
    answers: 400,
  }),
  row('POST', '/auth/guest', EVERYBODY),
  row('GET', '/auth/token', SIGNED_IN, { accessTokens: 'own-projects' }),
  row('DELETE', '/auth/session', SIGNED_IN),
  // They lead the browser elsewhere.
  row('GET', '/auth/oidc/start', EVERYBODY, { answers: 302 }),
  row('GET', '/auth/oidc/callback', EVERYBODY, { answers: 302 }),
  row('GET', '/sessions', SIGNED_IN, { accessTokens: 'none' }),
  row('DELETE', '/sessions', SIGNED_IN, { accessTokens: 'none' }),
  // Nobody has a session of this id.
  row('DELETE', '/sessions/:id', SIGNED_IN, { accessTokens: 'none', answers: 404 }),
  row('POST', '/users/me/email', SIGNED_IN, {
    accessTokens: 'none',
    body: ({ name }) => ({ email: `${name.replaceAll(' ', '-')}@example.org` }),
  }),
  row('DELETE', '/users/me/email', SIGNED_IN, { accessTokens: 'none' }),
  row('GET', '/auth/proof', SIGNED_IN, { accessTokens: 'none' }),
  row('POST', '/auth/proof/mail', SIGNED_IN, { accessTokens: 'none' }),
  // Nobody has asked for a code.
  row('POST', '/auth/proof', SIGNED_IN, { accessTokens: 'none', body: () => ({ code: '12345678' }), answers: 400 }),
  row('GET', '/users/me/second_factor', SIGNED_IN, { accessTokens: 'none' }),
  row('POST', '/users/me/second_factor', SIGNED_IN, { accessTokens: 'none' }),
  // With a code that no app has shown.
  row('POST', '/users/me/second_factor/confirm', SIGNED_IN, {
    accessTokens: 'none',
    body: () => ({ code: 'x' }),
    answers: 400,
  }),
  // There is none yet.
  row('POST', '/users/me/second_factor/recovery_codes', SIGNED_IN, { accessTokens: 'none', answers: 409 }),
  row('DELETE', '/users/me/second_factor', SIGNED_IN, { accessTokens: 'none', answers: 409 }),
  row('POST', '/auth/email', EVERYBODY, { body: () => ({ code: 'x'.repeat(43) }), answers: 400 }),
  row('GET', '/users/me/export', SIGNED_IN, { accessTokens: 'none' }),
  // Not with the typed address, which tests of their own do.
  row('DELETE', '/users/me', SIGNED_IN, { accessTokens: 'none', query: 'confirm=no', answers: 409 }),
  // Without bytes.
  row('PUT', '/users/me/photo', SIGNED_IN, { answers: 400 }),
  row('DELETE', '/users/me/photo', SIGNED_IN),
  row('GET', '/photos/:id', EVERYBODY, { answers: 404 }),
  row('GET', '/logos/:id', EVERYBODY, { answers: 404 }),
  row('GET', '/users/me', SIGNED_IN),
  row('PUT', '/users/me/mails', SIGNED_IN, {
    body: () => ({ run_mail_minutes: null, mailed_notifications: ['mention'] }),
  }),
  row('PUT', '/users/me', SIGNED_IN, { body: () => ({ first_name: 'Ann', last_name: 'Breeder' }) }),
  row('GET', '/access_tokens', SIGNED_IN),
  row('POST', '/access_tokens', SIGNED_IN, {
    body: () => ({ name: 'Script', scopes: ['read'], expires_in_days: 1 }),
    accessTokens: 'none',
  }),
  row('DELETE', '/access_tokens/:id', SIGNED_IN),
  // Of a request that another browser began.
  row('GET', '/auth/connections/:uid', SIGNED_IN, { accessTokens: 'none', answers: 400 }),
  row('POST', '/auth/connections/:uid', SIGNED_IN, {
    accessTokens: 'none',
    body: () => ({ scopes: ['read'] }),
    answers: 400,
  }),
  row('DELETE', '/auth/connections/:uid', SIGNED_IN, { accessTokens: 'none', answers: 400 }),

  row('GET', '/organizations', SIGNED_IN),
  row('POST', '/organizations', SIGNED_IN, named),
  row('GET', '/organizations/:organization_id', ORGANIZATION),
  row('PUT', '/organizations/:organization_id', ORGANIZATION_MANAGERS, named),
  // Without bytes.
  row('PUT', '/organizations/:organization_id/logo', ORGANIZATION_MANAGERS, { answers: 400 }),
  row('DELETE', '/organizations/:organization_id/logo', ORGANIZATION_MANAGERS),
  row('DELETE', '/organizations/:organization_id', ORGANIZATION_OWNERS),
  row('GET', '/organizations/:organization_id/members', ORGANIZATION_MEMBERS),
  // Managers promote members where the organization lets them, which this one does not.
  row('PUT', '/organizations/:organization_id/members/:id', ORGANIZATION_OWNERS, {
    guard: { organization: 'MANAGER' },
    body: () => ({ role: 'MANAGER' }),
  }),
  row('DELETE', '/organizations/:organization_id/members/:id', ORGANIZATION_MANAGERS, {
    guard: { organization: 'MEMBER' },
  }),
  row('GET', '/organizations/:organization_id/audit', ORGANIZATION_MANAGERS),
  row('GET', '/organizations/:organization_id/audit.csv', ORGANIZATION_MANAGERS),
  row('GET', '/organizations/:organization_id/webhooks', ORGANIZATION_MANAGERS),
  row('POST', '/organizations/:organization_id/webhooks', ORGANIZATION_MANAGERS, {
    body: ({ name }) => ({ name, url: 'https://example.org/hook', events: ['run.ended'] }),
  }),
  row('PUT', '/organizations/:organization_id/webhooks/:id', ORGANIZATION_MANAGERS, named),
  row('DELETE', '/organizations/:organization_id/webhooks/:id', ORGANIZATION_MANAGERS),
  row('POST', '/organizations/:organization_id/webhooks/:id/test', ORGANIZATION_MANAGERS),
  row('GET', '/organizations/:organization_id/webhooks/:id/deliveries', ORGANIZATION_MANAGERS),
  row('POST', '/organizations/:organization_id/webhooks/:webhook_id/deliveries/:id/resend', ORGANIZATION_MANAGERS, {
    answers: 404,
  }),
  row('GET', '/organizations/:organization_id/invitations', ORGANIZATION_MANAGERS),
  row('POST', '/organizations/:organization_id/invitations', ORGANIZATION_MANAGERS, invited),
  row('POST', '/organizations/:organization_id/invitations/:id/resend', ORGANIZATION_MANAGERS),
  row('DELETE', '/organizations/:organization_id/invitations/:id', ORGANIZATION_MANAGERS),

  // Only the addressee, who is none of these callers; tests of their own accept and decline.
  row('GET', '/invitations', SIGNED_IN),
  row('GET', '/invitations/:id/accept', SIGNED_IN, { answers: 404, isReading: false }),
  row('DELETE', '/invitations/:id', SIGNED_IN, { answers: 404 }),
  row('POST', '/invitations/sign_in', EVERYBODY, { body: () => ({ code: 'x'.repeat(43) }), answers: 400 }),

  row('GET', '/stripe/price', SIGNED_IN),
  // Signed by Stripe; without Stripe there is no such address.
  row('POST', '/stripe/webhook', EVERYBODY, { answers: 404 }),
  // The organization is in the body or the query.
  row('POST', '/checkout', ORGANIZATION_OWNERS, {
    guard: 'signed-in',
    body: ({ organization_id }) => ({ price_id: 'standard-yearly', organization_id }),
  }),
  row('GET', '/checkouts/:id', SIGNED_IN),
  row('POST', '/checkouts/:id/confirm', SIGNED_IN, { body: ({ name }) => ({ organization_name: name }) }),
  row('GET', '/subscriptions/:id', ORGANIZATION_MANAGERS, { guard: 'signed-in' }),
  // Without a payment service there are no cards.
  row('GET', '/setupcredit', ORGANIZATION_OWNERS, {
    guard: 'signed-in',
    query: ({ organization_id }) => `organization_id=${organization_id}`,
    answers: 409,
  }),
  row('PUT', '/paymentmethods', ORGANIZATION_OWNERS, {
    guard: 'signed-in',
    body: ({ organization_id }) => ({ token: 'pm_card', organization_id }),
    answers: 409,
  }),
  row('GET', '/organizations/:organization_id/billing', ORGANIZATION_MANAGERS),
  row('PUT', '/organizations/:organization_id/subscriptions', ORGANIZATION_OWNERS, {
    body: ({ organization_id }) => ({ quantity: 1000, price_id: 'standard-yearly', organization_id }),
  }),
  row('POST', '/organizations/:organization_id/subscriptions/cancel', ORGANIZATION_OWNERS),
  row('POST', '/organizations/:organization_id/subscriptions/resume', ORGANIZATION_OWNERS),
  row('GET', '/organizations/:organization_id/invoices', ORGANIZATION_MANAGERS),
  row('GET', '/organizations/:organization_id/invoices/:id/document', ORGANIZATION_MANAGERS),

  row('GET', '/organizations/:organization_id/crops', ORGANIZATION),
  row('POST', '/organizations/:organization_id/crops', ORGANIZATION_MANAGERS, named),
  row('PUT', '/organizations/:organization_id/crops/:id', ORGANIZATION_MANAGERS, named),
  row('DELETE', '/organizations/:organization_id/crops/:id', ORGANIZATION_MANAGERS),

  row('GET', '/organizations/:organization_id/germplasms', ORGANIZATION_MEMBERS),
  row('GET', '/organizations/:organization_id/germplasms/export', ORGANIZATION_MEMBERS),
  row('GET', '/organizations/:organization_id/germplasms/:id', ORGANIZATION_MEMBERS),
  row('GET', '/organizations/:organization_id/germplasms/:id/values', ORGANIZATION_MEMBERS),
  row('PUT', '/organizations/:organization_id/germplasms/:id', ORGANIZATION_MANAGERS, {
    body: () => ({ collection: 'Panel' }),
  }),
  row('DELETE', '/organizations/:organization_id/germplasms/:id', ORGANIZATION_MANAGERS),
  // Into itself: the role is looked at first.
  row('POST', '/organizations/:organization_id/germplasms/:id/merge', ORGANIZATION_MANAGERS, {
    body: ({ project_id }) => ({ into_id: project_id }),
    answers: 400,
  }),
  row('GET', '/organizations/:organization_id/germplasms/changes', ORGANIZATION_MEMBERS),
  row('POST', '/organizations/:organization_id/germplasms/changes/:id/undo', ORGANIZATION_MANAGERS),
  ...germplasmUploads('/organizations/:organization_id/germplasms', ORGANIZATION_MANAGERS, { organization: 'MANAGER' }),
  row('GET', '/organizations/:organization_id/pedigree', ORGANIZATION_MEMBERS),
  row('GET', '/organizations/:organization_id/pedigree/coancestries', ORGANIZATION_MEMBERS, {
    query: () => `id=${NO_ROW}`,
    answers: 404,
  }),
  row('GET', '/projects/:project_id/pedigrees', PROJECT),
  row('GET', '/projects/:project_id/pedigrees/coancestries', PROJECT, { query: () => `id=${NO_ROW}`, answers: 404 }),
  row('GET', '/projects/:project_id/germplasms', PROJECT),
  row('GET', '/projects/:project_id/germplasms/export', PROJECT),
  row('GET', '/projects/:project_id/germplasms/:id', PROJECT),
  // The list has no such line.
  row('GET', '/projects/:project_id/passport', PROJECT, { query: 'line=Nobody', answers: 404 }),
  row('GET', '/projects/:project_id/passport_loci', PROJECT),
  row('PUT', '/projects/:project_id/passport_loci', PROJECT, {
    body: ({ genotype_id }) => ({ genotype_id, loci: [] }),
  }),
  // The list has neither name: the role is looked at first.
  row('POST', '/projects/:project_id/germplasms/synonyms', PROJECT_MANAGERS, {
    body: () => ({ pairs: [{ from: 'Nobody 1', to: 'Nobody 2' }] }),
    answers: 409,
  }),
  row('GET', '/projects/:project_id/germplasms/:id/values', PROJECT),
  // Guests see germplasm and add none.
  ...germplasmUploads('/projects/:project_id/germplasms', GERMPLASM_WRITERS, { project: 'MEMBER' }),

  row('PUT', '/users/me/paper', SIGNED_IN, { body: () => ({ paper: 'LETTER' }) }),
  row('PUT', '/users/me/notifications', SIGNED_IN, { body: () => ({ muted: ['mention'] }) }),
  row('GET', '/notifications', SIGNED_IN),
  row('PUT', '/notifications/read', SIGNED_IN, { body: () => ({}) }),
  row('GET', '/home', SIGNED_IN),
  row('GET', '/favourites', SIGNED_IN),
  // One's own marks: whoever sees the file may.
  row('PUT', '/projects/:project_id/favourites', PROJECT, {
    body: ({ genotype_id }) => ({ kind: 'file', item_id: genotype_id, is_favourite: true }),
    isReading: true,
    closedToGuests: true,
  }),
  row('PUT', '/projects/:project_id/visits', PROJECT, {
    body: ({ genotype_id }) => ({ kind: 'file', item_id: genotype_id }),
    isReading: true,
    closedToGuests: true,
  }),
  row('GET', '/projects/:project_id/table_views', PROJECT),
  row('POST', '/projects/:project_id/table_views', PROJECT, {
    body: ({ name }) => ({ table: 'models', name, content: { columns: [{ id: 'name', name: 'Name' }] } }),
  }),
  // Shared ones; another person's own view does not exist for the caller.
  own('PUT', '/projects/:project_id/table_views/:id', named),
  own('DELETE', '/projects/:project_id/table_views/:id'),
  row('GET', '/projects', SIGNED_IN, { accessTokens: 'own-projects' }),
  // The organization is in the body.
  row('POST', '/projects', ORGANIZATION_MANAGERS, {
    guard: 'signed-in',
    body: ({ name, organization_id, crop_id }) => ({ name, organization_id, crop_id }),
  }),
  row('GET', '/projects/:project_id', PROJECT),
  row('GET', '/projects/:project_id/overview', PROJECT),
  row('PUT', '/projects/:project_id', PROJECT_MANAGERS, named),
  // Managers of the organization may, managers of the project may not.
  row('DELETE', '/projects/:project_id', PROJECT_OWNERS, { guard: { project: 'MANAGER' } }),

  // Guests of the demo see no people, and have no uploads.
  row('GET', '/projects/:project_id/members', PROJECT, { closedToGuests: true }),
  row('PUT', '/projects/:project_id/members/:id', PROJECT_MANAGERS, { body: () => ({ role: 'MANAGER' }) }),
  row('DELETE', '/projects/:project_id/members/:id', PROJECT_MANAGERS, { guard: { project: 'MEMBER' } }),
  row('GET', '/projects/:project_id/search', PROJECT, { query: 'search=maize' }),
  row('GET', '/projects/:project_id/traits', PROJECT),
  row('GET', '/projects/:project_id/traits.trt', PROJECT),
  // Without bytes.
  row('POST', '/projects/:project_id/traits/read', PROJECT, { answers: 400, isReading: true }),
  row('PUT', '/projects/:project_id/traits', PROJECT, {
    body: () => ({ traits: [{ name: 'yield', direction: 'higher', unit: 't/ha', weight: 1 }] }),
  }),
  row('GET', '/projects/:project_id/audit', PROJECT_MANAGERS),
  row('GET', '/projects/:project_id/audit.csv', PROJECT_MANAGERS),
  row('GET', '/projects/:project_id/trials/miappe', PROJECT),
  row('GET', '/projects/:project_id/package', PROJECT_MANAGERS, { closedToGuests: true }),
  row('GET', '/organizations/:organization_id/package', ORGANIZATION_OWNERS),
  // The project holds something.
  row('POST', '/projects/:project_id/package_imports', PROJECT_MANAGERS, {
    body: ({ name, upload_id }) => ({ name, upload_id }),
    answers: 409,
  }),
  row('GET', '/projects/:project_id/package_imports', PROJECT_MANAGERS),
  row('GET', '/projects/:project_id/package_imports/:id', PROJECT_MANAGERS),
  row('POST', '/projects/:project_id/package_imports/:id/cancel', PROJECT_MANAGERS),
  row('GET', '/projects/:project_id/invitations', PROJECT_MANAGERS),
  row('POST', '/projects/:project_id/invitations', PROJECT_MANAGERS, invited),
  row('POST', '/projects/:project_id/invitations/:id/resend', PROJECT_MANAGERS),
  row('DELETE', '/projects/:project_id/invitations/:id', PROJECT_MANAGERS),

  row('GET', '/projects/:project_id/folders', PROJECT),
  row('POST', '/projects/:project_id/folders', PROJECT, named),
  row('GET', '/projects/:project_id/folders/:folder_id', PROJECT),
  own('PUT', '/projects/:project_id/folders/:folder_id', named),
  own('DELETE', '/projects/:project_id/folders/:folder_id'),

  row('GET', '/projects/:project_id/comments', PROJECT, {
    query: ({ genotype_id }) => `entity_kind=file&entity_id=${genotype_id}`,
  }),
  row('POST', '/projects/:project_id/comments', PROJECT, {
    body: ({ genotype_id }) => ({ entity_kind: 'file', entity_id: genotype_id, part: 'm1', text: 'Look here' }),
  }),
  own('DELETE', '/projects/:project_id/comments/:id'),
  row('GET', '/projects/:project_id/share_links', PROJECT, { closedToGuests: true }),
  // The model is the owner's.
  row('POST', '/projects/:project_id/share_links', PROJECT_MANAGERS, {
    guard: { project: 'MEMBER' },
    body: ({ model_id }) => ({ entity_kind: 'model', entity_id: model_id }),
  }),
  own('DELETE', '/projects/:project_id/share_links/:id'),
  row('GET', '/organizations/:organization_id/share_links', ORGANIZATION_MANAGERS),
  // Nobody has a link here; a test of its own opens one.
  row('POST', '/shared', EVERYBODY, { body: () => ({ token: 'x'.repeat(43) }), answers: 404, isReading: true }),
  row('POST', '/shared/report', EVERYBODY, { body: () => ({ token: 'x'.repeat(43) }), answers: 404, isReading: true }),

  row('GET', '/projects/:project_id/lists', PROJECT),
  row('POST', '/projects/:project_id/lists', PROJECT, {
    body: ({ name }) => ({ name, kind: 'germplasm', members: ['B73'] }),
  }),
  row('GET', '/projects/:project_id/lists/:id', PROJECT),
  own('PUT', '/projects/:project_id/lists/:id', named),
  own('DELETE', '/projects/:project_id/lists/:id'),

  row('GET', '/projects/:project_id/decisions', PROJECT),
  // The project has no results to put on the table.
  row('POST', '/projects/:project_id/decisions', PROJECT, {
    body: ({ name }) => ({ name, source: { kind: 'prediction', id: NO_ROW } }),
    answers: 404,
  }),
  row('GET', '/projects/:project_id/decisions/:id', PROJECT),
  own('PUT', '/projects/:project_id/decisions/:id', named),
  own('DELETE', '/projects/:project_id/decisions/:id'),
  row('GET', '/projects/:project_id/decisions/:id/lines', PROJECT),
  row('GET', '/projects/:project_id/decisions/:id/marks', PROJECT),
  row('POST', '/projects/:project_id/decisions/:id/marks', PROJECT, {
    body: () => ({ version: 1, marks: [{ id: NO_ROW, line: 2, mark: 'HOLD', marked_at: '2026-06-01T08:00:00Z' }] }),
    answers: 400,
  }),
  row('GET', '/projects/:project_id/decisions/:id/set', PROJECT),
  own('POST', '/projects/:project_id/decisions/:id/close', { body: () => ({ version: 1 }), answers: 409 }),
  own('POST', '/projects/:project_id/decisions/:id/refresh', { answers: 409 }),
  own('POST', '/projects/:project_id/decisions/:id/reopen', { body: () => ({ reason: 'New data' }), answers: 409 }),
  row('GET', '/projects/:project_id/decisions/:id/minutes', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/decisions/:id/citation', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/decisions/:id/report', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/report', PROJECT),
  row('GET', '/projects/:project_id/trials/:id/report', PROJECT),
  row('GET', '/projects/:project_id/decisions/:id/outcome', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/trials', PROJECT),
  row('POST', '/projects/:project_id/trials', PROJECT, { body: trialOfPlace }),
  row('GET', '/projects/:project_id/trials/:id', PROJECT),
  row('PUT', '/projects/:project_id/trials/:id', PROJECT, named),
  own('DELETE', '/projects/:project_id/trials/:id'),
  row('GET', '/projects/:project_id/trials/:id/plots', PROJECT),
  row('PUT', '/projects/:project_id/trials/:id/layout', PROJECT, { body: () => ({ entries: [], layout: BORDERS }) }),
  row('POST', '/projects/:project_id/trials/:id/swaps', PROJECT, { body: () => ({ plots: [1, 2] }) }),
  row('GET', '/projects/:project_id/trials/:id/events', PROJECT),
  row('GET', '/projects/:project_id/trials/:id/field-book', PROJECT),
  row('GET', '/projects/:project_id/trials/:id/labels', PROJECT),
  row('GET', '/projects/:project_id/trials/:id/observations', PROJECT, { query: 'trait=Yield' }),
  // Its plots are borders, of which no value is kept: the role is looked at first.
  row('POST', '/projects/:project_id/trials/:id/observations', PROJECT, {
    body: () => ({
      observations: [{ id: NO_ROW, plot: 1, trait: 'Yield', value: 5, observed_at: '2026-08-01T10:00:00Z' }],
    }),
    answers: 422,
  }),
  row('POST', '/projects/:project_id/trials/:id/values_file/review', PROJECT, { answers: 400, isReading: true }),
  row('POST', '/projects/:project_id/trials/:id/values_file', PROJECT, { answers: 400 }),
  row('GET', '/projects/:project_id/trials/:id/photos', PROJECT),
  // What is sent is no picture, and there is no such photo.
  row('POST', '/projects/:project_id/trials/:id/photos', PROJECT, { query: `id=${NO_ROW}&plot=1`, answers: 422 }),
  row('PUT', '/projects/:project_id/trials/:id/photos/:photo_id', PROJECT, {
    body: () => ({ note: 'Lodged' }),
    answers: 404,
  }),
  row('PUT', '/projects/:project_id/trials/:id/photos/:photo_id/thumbnail', PROJECT, { answers: 422 }),
  row('GET', '/projects/:project_id/trials/:id/photos/:photo_id/image', PROJECT, { answers: 404 }),
  row('DELETE', '/projects/:project_id/trials/:id/photos/:photo_id', PROJECT, { answers: 404 }),
  row('GET', '/projects/:project_id/trials/:id/plots/:plot/observations', PROJECT),
  row('POST', '/projects/:project_id/trials/:id/observations/set_aside', PROJECT, { body: aside, answers: 404 }),
  row('POST', '/projects/:project_id/trials/:id/observations/keep', PROJECT, { body: aside, answers: 404 }),
  row('GET', '/projects/:project_id/trials/:id/completeness', PROJECT),
  row('GET', '/projects/:project_id/trials/:id/suspect_plots', PROJECT),
  row('POST', '/projects/:project_id/trials/:id/freeze', PROJECT, { answers: 409 }),
  row('POST', '/projects/:project_id/trials/match_entries', PROJECT, {
    body: () => ({ entries: ['B73'] }),
    isReading: true,
  }),
  row('POST', '/projects/:project_id/trials/read_entries', PROJECT, { answers: 400, isReading: true }),
  // Its file has no plots.
  row('POST', '/projects/:project_id/trials/from_file', PROJECT, {
    body: ({ phenotype_id }) => ({ file_id: phenotype_id }),
    answers: 422,
  }),
  row('GET', '/projects/:project_id/trials/:id/staged', PROJECT),
  row('POST', '/projects/:project_id/trials/:id/staged/settle', PROJECT, {
    body: () => ({ accept: [NO_ROW] }),
    answers: 404,
  }),
  row('GET', '/projects/:project_id/trials/:id/conflicts', PROJECT),
  row('POST', '/projects/:project_id/trials/:id/conflicts/settle', PROJECT, {
    body: () => ({ keep: [NO_ROW] }),
    answers: 404,
  }),

  row('GET', '/projects/:project_id/files', PROJECT),
  row('POST', '/projects/:project_id/files/upload_link', PROJECT, {
    body: () => ({ file_type: 'PHENOTYPE', content_type: 'text/csv', size_bytes: 10 }),
  }),
  row('POST', '/projects/:project_id/files', PROJECT, {
    body: ({ name, upload_id }) => ({ name, file_id: upload_id, file_type: 'PHENOTYPE' }),
  }),
  // One's own uploads; the test also calls them with those of others.
  row('POST', '/projects/:project_id/example', PROJECT),
  row('GET', '/projects/:project_id/uploads', PROJECT, { closedToGuests: true }),
  row('GET', '/projects/:project_id/uploads/:upload_id', PROJECT, { closedToGuests: true }),
  row('POST', '/projects/:project_id/uploads/:upload_id/parts', PROJECT, { body: () => ({ numbers: [1] }) }),
  row('DELETE', '/projects/:project_id/uploads/:upload_id', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id', PROJECT),
  own('PUT', '/projects/:project_id/files/:file_id', named),
  own('DELETE', '/projects/:project_id/files/:file_id'),
  row('GET', '/projects/:project_id/files/:file_id/problems', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/problems.csv', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/qc', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/first_rows', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/markers/:marker', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/rows', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/means', PROJECT, { query: 'trait=Yield', answers: 409 }),
  row('GET', '/projects/:project_id/files/:file_id/means.csv', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/files/:file_id/covariance.csv', PROJECT, { answers: 409 }),
  own('POST', '/projects/:project_id/files/:file_id/check', { body: () => ({}) }),
  row('POST', '/projects/:project_id/files/:file_id/phasing', PROJECT, { body: () => ({}), answers: 400 }),
  row('DELETE', '/projects/:project_id/files/:file_id/phasing', PROJECT, { answers: 409 }),
  row('POST', '/projects/:project_id/files/:file_id/hybrids', PROJECT, {
    body: () => ({ females: ['A'], males: ['B'] }),
    answers: 400,
  }),
  row('DELETE', '/projects/:project_id/files/:file_id/hybrids', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/files/:file_id/usage', PROJECT),
  row('GET', '/projects/:project_id/files/:file_id/synonyms', GERMPLASM_WRITERS, { guard: { project: 'MEMBER' } }),
  row('POST', '/projects/:project_id/files/:file_id/synonyms', GERMPLASM_WRITERS, {
    guard: { project: 'MEMBER' },
    body: () => ({}),
    answers: 409,
  }),
  row('DELETE', '/projects/:project_id/files/:file_id/synonyms', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/files.zip', PROJECT, { query: ({ genotype_id }) => `file_id=${genotype_id}` }),
  row('GET', '/projects/:project_id/files/:file_id/export', PROJECT, { query: 'format=vcf' }),
  row('GET', '/projects/:project_id/files/:file_id/linkage_map_template', PROJECT, { query: 'mode=2' }),

  row('POST', '/projects/:project_id/match', PROJECT, { body: inputs, isReading: true }),
  row('POST', '/projects/:project_id/estimate', PROJECT, {
    body: (place) => ({ ...inputs(place), analysis: 'gwas', traits: ['Yield'] }),
    isReading: true,
  }),

  ...runPaths.flatMap(runRows),
  row('GET', '/projects/:project_id/models/:id/evaluation', PROJECT, noResult),
  row('GET', '/projects/:project_id/models/:id/effects', PROJECT, noResult),
  row('GET', '/projects/:project_id/models/:id/gebv', PROJECT, noResult),
  row('GET', '/projects/:project_id/predictions/:id/results', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/predictions/:id/factorial', PROJECT, { query: () => 'trait=Yield', answers: 409 }),
  row('GET', '/projects/:project_id/gwas/:id/results', PROJECT, noResult),
  row('GET', '/projects/:project_id/gwas/:id/plot', PROJECT, noResult),
  row('GET', '/projects/:project_id/gwas/:id/region', PROJECT, {
    ...noResult,
    query: 'trait=Yield&chr=1&start=1&end=9',
  }),
  row('GET', '/projects/:project_id/gwas/:id/qq', PROJECT, noResult),
  row('GET', '/projects/:project_id/gwas/:id/clumps', PROJECT, noResult),
  row('GET', '/projects/:project_id/gwas/:id/markers/:marker', PROJECT, noResult),
  row('GET', '/projects/:project_id/gwas/:id/fine_maps', PROJECT),
  row('POST', '/projects/:project_id/gwas/:id/fine_maps', PROJECT, {
    body: () => ({ trait: 'Yield', chr: '1', start: 1, end: 9 }),
    answers: 409,
  }),
  row('GET', '/projects/:project_id/gwas/:id/fine_maps/:fine_map_id', PROJECT, { answers: 404 }),
  row('GET', '/projects/:project_id/trial_analyses/:id/trials', PROJECT, noResult),
  row('GET', '/projects/:project_id/trial_analyses/:id/plots', PROJECT, ofField),
  row('GET', '/projects/:project_id/trial_analyses/:id/variogram', PROJECT, ofField),
  row('GET', '/projects/:project_id/trial_analyses/:id/means', PROJECT, noResult),
  row('GET', '/projects/:project_id/trial_analyses/:id/series', PROJECT, noResult),
  row('GET', '/projects/:project_id/trial_analyses/:id/lines/:name', PROJECT, noResult),
  row('POST', '/projects/:project_id/trial_analyses/:id/phenotype', PROJECT, {
    body: ({ name }) => ({ name }),
    answers: 409,
  }),
  row('GET', '/projects/:project_id/parentage_checks/:id/results', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/crossing_plans/:id/tables', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/crossing_simulations/:id/results', PROJECT, noResult),
  row('GET', '/projects/:project_id/crossing_simulations/:id/crosses/:place', PROJECT, noResult),
  row('GET', '/projects/:project_id/crossing_simulations/:id/progeny', PROJECT, noResult),
  row('GET', '/projects/:project_id/programmes/:id/results', PROJECT),
  row('GET', '/projects/:project_id/programmes/:id/plan', PROJECT),
  // It is not simulated, so it cannot be started.
  row('POST', '/projects/:project_id/programmes/:id/plan', PROJECT, {
    body: () => ({ starts_on: '2027-03-01' }),
    answers: 409,
  }),
  row('PUT', '/projects/:project_id/programmes/:id/plan', PROJECT, {
    body: () => ({ starts_on: '2027-03-01' }),
    answers: 409,
  }),
  row('DELETE', '/projects/:project_id/programmes/:id/plan', PROJECT, { answers: 409 }),
  row('PUT', '/projects/:project_id/programmes/:id/plan/steps/:step', PROJECT, {
    body: () => ({ state: 'DONE' }),
    answers: 409,
  }),
  row('POST', '/projects/:project_id/programmes/:id/plan/steps/:step/links', PROJECT, {
    body: ({ genotype_id }) => ({ kind: 'file', id: genotype_id }),
    answers: 409,
  }),
  row('DELETE', '/projects/:project_id/programmes/:id/plan/links/:link_id', PROJECT, { answers: 409 }),
  row('POST', '/projects/:project_id/programmes/:id/plan/steps/:step/list', PROJECT, {
    body: () => ({}),
    answers: 409,
  }),
  row('GET', '/projects/:project_id/programmes/:id/plan/outcome', PROJECT, { answers: 409 }),
  row('GET', '/projects/:project_id/programme_material', PROJECT, {
    query: ({ genotype_id }) => `genotype_id=${genotype_id}`,
  }),

  row('GET', '/projects/:project_id/bin', PROJECT),
  own('POST', '/projects/:project_id/bin/:id/restore'),

  row('GET', '/organizations/:organization_id/deleted_projects', ORGANIZATION_MANAGERS),
  row('POST', '/organizations/:organization_id/deleted_projects/:id/restore', ORGANIZATION_MANAGERS),
  // Of the caller's own organizations, none of which is deleted; a test of its own restores one.
  row('GET', '/deleted_organizations', SIGNED_IN),
  row('POST', '/deleted_organizations/:id/restore', SIGNED_IN, { answers: 404 }),

  row('GET', '/operator/registrations', OPERATORS),
  row('POST', '/operator/registrations/:id/approve', OPERATORS),
  row('POST', '/operator/registrations/:id/reject', OPERATORS, { body: () => ({}) }),
  row('GET', '/operator/organizations', OPERATORS),
  row('PUT', '/operator/organizations/:id/quotas', OPERATORS, { body: () => ({ storage_bytes: null, runs: null }) }),
  row('GET', '/operator/queue', OPERATORS),
  row('GET', '/operator/workers', OPERATORS),
  row('GET', '/operator/failed_runs', OPERATORS),
  // Nothing has failed; tests of their own repeat a run and a mail.
  row('POST', '/operator/failed_runs/:id/retry', OPERATORS, { answers: 404 }),
  row('GET', '/operator/mails', OPERATORS),
  row('POST', '/operator/mails/:id/retry', OPERATORS, { answers: 404 }),
  row('GET', '/operator/audit', OPERATORS),
  row('GET', '/operator/audit.csv', OPERATORS),

  // The address is inside the server's own network.
  row('POST', '/projects/:project_id/brapi_imports/look', PROJECT, { body: () => loopback, answers: 400 }),
  row('POST', '/projects/:project_id/brapi_imports', PROJECT, { body: () => loopback, answers: 400 }),
  row('GET', '/projects/:project_id/brapi_imports', PROJECT),
  row('GET', '/projects/:project_id/brapi_imports/:id', PROJECT),
  row('POST', '/projects/:project_id/brapi_imports/:id/resume', PROJECT, { body: () => ({}), answers: 409 }),
  row('DELETE', '/projects/:project_id/brapi_imports/:id', PROJECT),

  ...BRAPI_CALLS.map(brapiRow),
];

const SIGNS_IN = 'Nobody is signed in yet who could have a page open.';
const OPERATORS_ASK = 'The pages of operators ask again by themselves.';

/** Changes of which open pages hear nothing, and why. What follows from them later is told by the server's own work. */
export const NOT_TOLD: Readonly<Record<string, string>> = {
  'DELETE /api/sessions': 'Sessions that are ended are told; those who call here have no other.',
  'POST /api/auth/guest': SIGNS_IN,
  'POST /api/auth/link': SIGNS_IN,
  'POST /api/auth/proof/mail': 'A code in a mail; no page shows it.',
  'POST /api/checkout': 'Nothing is bought before it is confirmed.',
  'POST /api/operator/registrations/:id/approve': OPERATORS_ASK,
  'POST /api/operator/registrations/:id/reject': OPERATORS_ASK,
  'POST /api/organizations/:organization_id/webhooks/:id/test': 'The list of deliveries asks again by itself.',
  'POST /api/projects/:project_id/example': 'Its files tell of themselves; who calls again makes none.',
  'POST /api/projects/:project_id/files/upload_link': 'An address only; no list has it before its parts come.',
  'POST /api/projects/:project_id/uploads/:upload_id/parts': 'Being sent, it is in the list of the tab that sends it.',
  'POST /api/signup': OPERATORS_ASK,
  'POST /api/users/me/second_factor': 'A secret to be confirmed; until then nothing has changed.',
  'PUT /api/organizations/:organization_id/subscriptions':
    'A change is told; who asks again for the same seats changes none.',
};
