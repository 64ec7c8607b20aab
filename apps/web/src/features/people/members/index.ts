export { InviteButton } from './invite-button.tsx';
export { InviteDialog } from './invite-dialog.tsx';
export { membersQuery, sentInvitationsQuery, useInvite } from './people.api.ts';
export { People } from './people.tsx';
export { RecentMembers } from './recent-members.tsx';
export type { Standing } from './rights.ts';
