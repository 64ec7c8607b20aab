export { invitationRoutes } from './invitations.routes.ts';
export { sendInvitationMailJob } from './jobs.ts';
export { sendInvitationMailRegistration } from './send-invitation-mail.handler.ts';
