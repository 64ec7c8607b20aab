export { InvitationList } from './invitation-list.tsx';
export { invitationsQuery } from './invitations.api.ts';
