import type { BinKind } from './bin.ts';

/** What the audit trail can be filtered by. */
const AUDIT_AREAS = [
  'members',
  'roles',
  'invitations',
  'settings',
  'billing',
  'deletion',
  'tokens',
  'sign-ins',
  'accounts',
  'operation',
] as const;
type AuditArea = (typeof AUDIT_AREAS)[number];

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
  'project.created': 'settings',
  'project.rights-changed': 'settings',
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
  'folder.deleted': 'deletion',
  'access-token.created': 'tokens',
  'access-token.deleted': 'tokens',
  'custom-token.created': 'tokens',
  'session.started': 'sign-ins',
  'session.ended': 'sign-ins',
  'account.email-changed': 'accounts',
  'account.exported': 'accounts',
  'account.deleted': 'accounts',
  'registration.approved': 'operation',
  'registration.rejected': 'operation',
  'signing-keys.rotated': 'operation',
  'demo.created': 'operation',
} as const satisfies Record<string, AuditArea>;

/** Entries of a project go to the bin and come back. */
type BinAction = `${BinKind}.${'deleted' | 'restored'}`;
export type AuditAction = keyof typeof NAMED_ACTIONS | BinAction;
