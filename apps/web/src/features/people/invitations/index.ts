export { InvitationTables } from './invitation-tables.tsx';
export { invitationsQuery } from './invitations.api.ts';
