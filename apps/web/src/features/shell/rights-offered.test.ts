import { ORGANIZATION_RIGHTS, type OrganizationRight, PROJECT_RIGHTS } from '@heterosis/contracts/people/rights';
import { CALLERS, type Caller, type RoleLine, readRoleTable } from '@heterosis/contracts/people/role-table';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { organizationPages } from './organization-pages.ts';

/**
 * The journeys walk all pages as all roles and are refused nothing. Here is the reverse: what the server allows is
 * offered. A test of the server holds the rights that somebody is told to the table of roles.
 */
const [document = ''] = Object.values(
  import.meta.glob<string>('../../../../../docs/roles.md', { query: '?raw', import: 'default', eager: true }),
);
const TABLE = readRoleTable(document);
/** A guest of the demo is shown what members see: what would write opens a dialog about signing in instead. */
const PEOPLE = CALLERS.filter((caller) => caller !== 'demo-guest');

const lineOf = (call: string): RoleLine => {
  const found = TABLE.find((line) => line.call === call);
  if (!found) throw new Error(`${call} is not in the table of roles`);
  return found;
};
const allowed = ({ marks }: RoleLine): Caller[] => PEOPLE.filter((caller) => marks[caller] === 'yes');
const has = (caller: Caller, right: OrganizationRight): boolean =>
  allowed(lineOf(ORGANIZATION_RIGHTS[right])).includes(caller);

describe('a call that the table refuses to some of a place has a right that says the same:', () => {
  const RIGHTS = [...Object.values(ORGANIZATION_RIGHTS), ...Object.values(PROJECT_RIGHTS)];
  /** Reading and deleting go on while an organization is not paid for; changing does not. No logo is a change of it. */
  const kindOf = (call: string): string =>
    /^(?:GET|DELETE) (?!.*\/logo$)/.test(call) ? 'reads or deletes' : 'changes';
  const ENTRIES = /^\/projects\/:project_id\/(?!members|invitations|germplasms|audit)\w+\/:/;
  /** Parts of something else: of use to whoever may begin an upload, convert a file, or restore a project. */
  const PREPARING = /\/uploads\/|\/synonyms$|\/deleted_projects$/;
  /** What the right of another collection speaks for. */
  const SAME: Record<string, string> = { 'audit.csv': 'audit', invoices: 'billing', pedigree: 'germplasms', logo: '' };
  /** Sharing something changes it; a package is taken by who sees the audit, and brought by who edits the project. */
  const OF_CALLS: Record<string, string> = {
    'POST /projects/:project_id/share_links': 'entries of a project',
    'GET /projects/:project_id/package': 'projects/:project_id/audit',
    'GET /projects/:project_id/package_imports': 'projects/:project_id/audit',
    'POST /projects/:project_id/package_imports': 'projects/:project_id/',
    // Its owner may delete all that is in it.
    'GET /organizations/:organization_id/package': 'organizations/:organization_id/',
  };
  const collectionOf = (call: string): string => {
    const ofCall = OF_CALLS[call];
    if (ofCall !== undefined) return ofCall;
    const [, path = ''] = call.split(' ');
    const [, place, id, collection = ''] = path.split('/');
    if (path.endsWith('/synonyms')) return `${place}/${id}/germplasms`;
    return ENTRIES.test(path) ? 'entries of a project' : `${place}/${id}/${SAME[collection] ?? collection}`;
  };
  const restricted = TABLE.filter(
    ({ call, marks }) =>
      /^\w+ \/(?:organizations|projects)\/:/.test(call) && PEOPLE.some((caller) => marks[caller] === '403'),
  );

  it.each(restricted)('$call', (line) => {
    const { call } = line;
    const same = RIGHTS.filter(
      (right) =>
        collectionOf(right) === collectionOf(call) &&
        (kindOf(right) === kindOf(call) || PREPARING.test(call)) &&
        `${allowed(lineOf(right))}` === `${allowed(line)}`,
    );
    expect(same).not.toEqual([]);
  });
});

describe('every right is asked for by a page, as otherwise nobody is offered what it allows:', () => {
  const sources = Object.entries(
    import.meta.glob<string>('../../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
  )
    .flatMap(([path, text]) => (path.includes('.test.') ? [] : [text]))
    .join('\n');

  it.each([...new Set([...Object.keys(ORGANIZATION_RIGHTS), ...Object.keys(PROJECT_RIGHTS)])])('%s', (right) => {
    expect(sources).toContain(`'${right}'`);
  });
});

describe('the navigation of an organization leads to every page that the table lets one see, and to no other:', () => {
  const routes = import.meta.glob<string>('../../routes/_app/organizations/$organizationId/{*,*/index}.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  /** By the address of the page, the right that its route demands. */
  const pages = Object.entries(routes).map(([path, text]) => {
    const name = path.replace(/^.*\$organizationId|\/index\.tsx$|\.tsx$/g, '');
    const [, right] = /right: '(\w+)'/.exec(text) ?? [];
    return { to: `/organizations/$organizationId${name}`, right: right as OrganizationRight | undefined };
  });

  it.each(PEOPLE.filter((caller) => allowed(lineOf('GET /organizations/:organization_id')).includes(caller)))(
    '%s',
    (caller) => {
      const t = ((key: string) => key) as TFunction;
      const sections = organizationPages(t, (right) => has(caller, right));
      const offered = sections.flatMap(({ entries }) => entries.map(({ to }) => to));
      const open = pages.filter(({ right }) => right === undefined || has(caller, right)).map(({ to }) => to);
      expect(offered.toSorted()).toEqual(open.toSorted());
    },
  );
});
