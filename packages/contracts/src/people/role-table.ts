/**
 * Kinds of caller that the table of permissions (docs/roles.md) tells apart. `guest` and the two after it have a role
 * in the project but not in its organization; `member` is in both, `unjoined` in the organization only; `manager` and
 * `owner` are those of the organization and reach its projects without joining; `operator` operates the installation
 * and has no part in the organization; `demo-guest` has not signed in and looks at the project as that of the demo.
 */
export const CALLERS = [
  'signed-out',
  'outsider',
  'guest',
  'project-manager',
  'project-owner',
  'member',
  'unjoined',
  'manager',
  'owner',
  'operator',
  'demo-guest',
] as const;
export type Caller = (typeof CALLERS)[number];

/** A line of the document: a call, and by caller "yes" or the status of the refusal. */
export interface RoleLine {
  /** `PUT /projects/:project_id/models/:id` */
  call: string;
  marks: Record<Caller, string>;
}

/** The table as the document has it; a test of the server calls every route as every caller of it. */
export const readRoleTable = (document: string): RoleLine[] =>
  [...document.matchAll(/^\| `([A-Z]+ [^ `]+)[^`]*` \|(.*)\|$/gm)].map(([, call = '', cells = '']) => {
    const marks = cells.split('|').map((mark) => mark.trim());
    return {
      call,
      marks: Object.fromEntries(CALLERS.map((caller, at) => [caller, marks[at] ?? ''])) as RoleLine['marks'],
    };
  });
