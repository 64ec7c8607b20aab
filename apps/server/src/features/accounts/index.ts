export { accountRoutes } from './accounts.routes.ts';
export { photoRoutes } from './photos.routes.ts';
export {
  findLatestRegistration,
  insertDecidedRegistration,
  insertPendingRegistration,
  listRegistrations,
  type Registration,
  type RegistrationStatus,
  updatePendingRegistration,
} from './registrations.queries.ts';
export { toSignedInUser } from './signed-in-user.ts';
export {
  ensureUser,
  findUser,
  findUserByEmail,
  type User,
  updateEmailVerified,
  updateUserName,
} from './users.queries.ts';
