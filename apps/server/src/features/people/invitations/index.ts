export { invitationRoutes } from './invitations.routes.ts';
export { sendInvitationMailRegistration } from './send-invitation-mail.handler.ts';
