// Writes the table of permissions into docs/roles.md, from the table that the test of all routes holds them to.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROLE_TABLE } from '../apps/server/product-tests/role-table.test-data.ts';
import { CALLERS } from '../packages/contracts/src/people/role-table.ts';

const DOCUMENT = 'docs/roles.md';
const BEGIN = '<!-- permissions, written by: node scripts/roles.mjs -->';
const END = '<!-- end of the permissions -->';
const HEADS = {
  'signed-out': 'Signed out',
  outsider: 'Outsider',
  guest: 'Project guest',
  'project-manager': 'Project manager',
  'project-owner': 'Project owner',
  member: 'Member in the project',
  unjoined: 'Member not in the project',
  manager: 'Manager',
  owner: 'Owner',
  operator: 'Operator',
  'demo-guest': 'Demo guest',
};
const MARKS = { allowed: 'yes', 401: '401', 403: '403', 404: '404' };

/** Violations as lines; empty when the document has the permissions of this moment. */
export function findRoleViolations(root) {
  const { text, updated } = read(root);
  return text === updated ? [] : [`${DOCUMENT}: the permissions are out of date. Run: npx node scripts/roles.mjs`];
}

function read(root) {
  const text = readFileSync(join(root, DOCUMENT), 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} lacks the lines "${BEGIN}" and "${END}"`);
  return { text, updated: `${text.slice(0, begin + BEGIN.length)}\n\n${tables()}\n\n${text.slice(end)}` };
}

/** One table for each group of addresses. Rows with an owner have two lines: one's own, and those of others. */
function tables() {
  // The calls of BrAPI have one rule, which the document states in words.
  const own = ROLE_TABLE.filter(({ url }) => url.startsWith('/api/'));
  const groups = Map.groupBy(own, ({ url }) => groupOf(url));
  return [...groups]
    .map(([group, rows]) => {
      const head = `| Call | ${CALLERS.map((caller) => HEADS[caller]).join(' | ')} |`;
      const lines = rows.map(({ method, url, who, isOwn }) => {
        const what = `${method} ${url.replace(/^\/api/, '')}${isOwn ? ' (of others)' : ''}`;
        // Refused to all without a signature in the address.
        const isSigned = CALLERS.every((caller) => who[caller] === 404);
        return `| \`${what}\` | ${CALLERS.map((caller) => (isSigned ? 'signed address' : MARKS[who[caller]])).join(' | ')} |`;
      });
      return [`### ${group}`, '', head, `|---|${'---|'.repeat(CALLERS.length)}`, ...lines].join('\n');
    })
    .join('\n\n');
}

function groupOf(url) {
  const [first, , second] = url.replace(/^\/api\//, '').split('/');
  if (first === 'operator') return 'Operators';
  if (first !== 'projects' && first !== 'organizations') return 'Account and sign-in';
  if (second === undefined) return first === 'projects' ? 'Projects' : 'Organizations';
  const title = second.replaceAll('_', ' ');
  return `${title[0].toUpperCase()}${title.slice(1)} of ${first === 'projects' ? 'a project' : 'an organization'}`;
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  writeFileSync(join(root, DOCUMENT), read(root).updated);
}
