import * as z from 'zod';

/**
 * What somebody may do in an organization: each right with the call that it is about. The server derives the rights of
 * the caller from role, settings and billing; pages offer what is among them, and nothing else.
 */
export const ORGANIZATION_RIGHTS = {
  edit: 'PUT /organizations/:organization_id',
  delete: 'DELETE /organizations/:organization_id',
  see_members: 'GET /organizations/:organization_id/members',
  change_roles: 'PUT /organizations/:organization_id/members/:id',
  remove_members: 'DELETE /organizations/:organization_id/members/:id',
  see_invitations: 'GET /organizations/:organization_id/invitations',
  invite: 'POST /organizations/:organization_id/invitations',
  invite_managers: 'POST /organizations/:organization_id/invitations',
  create_projects: 'POST /projects',
  restore_projects: 'POST /organizations/:organization_id/deleted_projects/:id/restore',
  change_crops: 'POST /organizations/:organization_id/crops',
  delete_crops: 'DELETE /organizations/:organization_id/crops/:id',
  see_germplasm: 'GET /organizations/:organization_id/germplasms',
  change_germplasm: 'PUT /organizations/:organization_id/germplasms/:id',
  delete_germplasm: 'DELETE /organizations/:organization_id/germplasms/:id',
  see_billing: 'GET /organizations/:organization_id/billing',
  change_billing: 'PUT /organizations/:organization_id/subscriptions',
  see_webhooks: 'GET /organizations/:organization_id/webhooks',
  change_webhooks: 'POST /organizations/:organization_id/webhooks',
  see_share_links: 'GET /organizations/:organization_id/share_links',
  see_audit: 'GET /organizations/:organization_id/audit',
} as const;

export type OrganizationRight = keyof typeof ORGANIZATION_RIGHTS;
export const organizationRight = z.enum(Object.keys(ORGANIZATION_RIGHTS) as OrganizationRight[]);

/** The same in a project. Members change and delete only what they created; entries of others need a further right. */
export const PROJECT_RIGHTS = {
  edit: 'PUT /projects/:project_id',
  delete: 'DELETE /projects/:project_id',
  write: 'POST /projects/:project_id/folders',
  change_others: 'PUT /projects/:project_id/folders/:folder_id',
  delete_own: 'DELETE /projects/:project_id/folders/:folder_id',
  delete_others: 'DELETE /projects/:project_id/folders/:folder_id',
  change_roles: 'PUT /projects/:project_id/members/:id',
  remove_members: 'DELETE /projects/:project_id/members/:id',
  see_invitations: 'GET /projects/:project_id/invitations',
  invite: 'POST /projects/:project_id/invitations',
  invite_managers: 'POST /projects/:project_id/invitations',
  add_germplasm: 'POST /projects/:project_id/germplasms/uploads',
  add_synonyms: 'POST /projects/:project_id/germplasms/synonyms',
  see_audit: 'GET /projects/:project_id/audit',
} as const;

export type ProjectRight = keyof typeof PROJECT_RIGHTS;
export const projectRight = z.enum(Object.keys(PROJECT_RIGHTS) as ProjectRight[]);
