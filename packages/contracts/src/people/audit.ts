import * as z from 'zod';
import { id, pageQuery, reference, timestamp } from '../common.ts';
import { type BinKind, binKind } from '../data/bin.ts';

/** What the audit trail can be filtered by. */
export const AUDIT_AREAS = [
  'members',
  'roles',
  'invitations',
  'settings',
  'billing',
  'deletion',
  'comments',
  'sharing',
  'tokens',
  'sign-ins',
  'accounts',
  'operation',
] as const;
export type AuditArea = (typeof AUDIT_AREAS)[number];

/**
 * Every action that the audit trail records, and its area. A new action gets a line here and a sentence in the
 * web application (`audit.action.…`).
 */
const NAMED_ACTIONS = {
  'member.left': 'members',
  'member.removed': 'members',
  'project-member.left': 'members',
  'project-member.removed': 'members',
  'member.role-changed': 'roles',
  'project-member.role-changed': 'roles',
  'invitation.sent': 'invitations',
  'invitation.resent': 'invitations',
  'invitation.withdrawn': 'invitations',
  'invitation.accepted': 'invitations',
  'invitation.declined': 'invitations',
  'organization.created': 'settings',
  'organization.rights-changed': 'settings',
  'organization.logo-changed': 'settings',
  'project.created': 'settings',
  'project.rights-changed': 'settings',
  'project.exported': 'operation',
  'organization.exported': 'operation',
  'package.imported': 'operation',
  'decision.refreshed': 'settings',
  'decision.closed': 'settings',
  'decision.reopened': 'settings',
  'programme.started': 'settings',
  'programme.plan-changed': 'settings',
  'programme.stopped': 'settings',
  'billing.checkout-confirmed': 'billing',
  'billing.seats-changed': 'billing',
  'billing.card-changed': 'billing',
  'billing.subscription-changed': 'billing',
  'billing.payment-failed': 'billing',
  'billing.payment-received': 'billing',
  'billing.subscription-cancelled': 'billing',
  'organization.deleted': 'deletion',
  'organization.restored': 'deletion',
  'project.deleted': 'deletion',
  'project.restored': 'deletion',
  'crop.deleted': 'deletion',
  'germplasm.merged': 'deletion',
  'germplasm.deleted': 'deletion',
  'folder.deleted': 'deletion',
  'comment.added': 'comments',
  'comment.deleted': 'comments',
  'share-link.created': 'sharing',
  'share-link.revoked': 'sharing',
  'webhook.created': 'settings',
  'webhook.changed': 'settings',
  'webhook.deleted': 'settings',
  'access-token.created': 'tokens',
  'access-token.deleted': 'tokens',
  'assistant.called': 'tokens',
  'custom-token.created': 'tokens',
  'session.started': 'sign-ins',
  'session.ended': 'sign-ins',
  'session.revoked': 'sign-ins',
  'session.copied': 'sign-ins',
  'account.email-changed': 'accounts',
  'second-factor.added': 'accounts',
  'second-factor.codes-renewed': 'accounts',
  'second-factor.removed': 'accounts',
  'account.exported': 'accounts',
  'account.deleted': 'accounts',
  'registration.approved': 'operation',
  'registration.rejected': 'operation',
  'signing-keys.rotated': 'operation',
  'demo.created': 'operation',
  'operator.added': 'operation',
  'operator.removed': 'operation',
  'organization.quotas-changed': 'operation',
  'run.repeated': 'operation',
  'mail.repeated': 'operation',
} as const satisfies Record<string, AuditArea>;

/** Whether an action has a sentence of its own; those of the bin share one. */
export const isNamedAction = (action: string): action is NamedAuditAction => Object.hasOwn(NAMED_ACTIONS, action);

/** Entries of a project go to the bin and come back. */
type BinAction = `${BinKind}.${'deleted' | 'restored'}`;
export type NamedAuditAction = keyof typeof NAMED_ACTIONS;
export type AuditAction = NamedAuditAction | BinAction;

const binActions = binKind.options.flatMap((kind): BinAction[] => [`${kind}.deleted`, `${kind}.restored`]);

/** Action → area, of all actions. */
export const AUDIT_ACTIONS: Readonly<Record<AuditAction, AuditArea>> = {
  ...NAMED_ACTIONS,
  ...(Object.fromEntries(binActions.map((action) => [action, 'deletion'])) as Record<BinAction, AuditArea>),
};

export const auditActions = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** One event of the audit trail. */
export const auditEntry = z
  .object({
    id,
    created_at: timestamp,
    action: z.string().describe('For example `member.role-changed`.'),
    area: z.enum(AUDIT_AREAS).nullable().describe('Null for actions of another version.'),
    actor: z
      .object({ id: id.nullable(), name: z.string().nullable(), email: z.string().nullable() })
      .nullable()
      .describe('Null for the system itself; its id is null once the account is deleted.'),
    project: reference.nullable(),
    target_type: z.string().nullable(),
    target_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

/** Which events of an organization are meant. */
export const auditFilter = z.object({
  person: z.string().trim().max(254).optional().describe('Part of the name or e-mail address of who did it.'),
  area: z.enum(AUDIT_AREAS).optional(),
  action: z.enum(auditActions).optional(),
  from: timestamp.optional().describe('Not before.'),
  to: timestamp.optional().describe('Before.'),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** `GET /api/organizations/{id}/audit`: newest first. */
export const auditQuery = pageQuery.extend(auditFilter.shape);
